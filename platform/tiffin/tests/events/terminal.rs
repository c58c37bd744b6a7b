//! A terminal with a person at it.

use std::{
    ffi::OsStr,
    fs::File,
    io::{Read, Write},
    os::unix::ffi::OsStrExt,
    process::{Command, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// The longest time that a question may take on a slow machine.
const QUESTION_TIMEOUT: Duration = Duration::from_mins(1);

/// The screen's content, and the exit status.
#[derive(Debug)]
pub struct Screen {
    pub code: i32,
    pub text: String,
}

/// Runs it on a terminal. Where a question comes up, its answer is typed.
pub fn run(mut command: Command, answers: &[(&str, &str)]) -> Screen {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let path = OsStr::from_bytes(name.to_bytes()).to_owned();
    let side = || Stdio::from(File::options().read(true).write(true).open(&path).unwrap());
    let mut child = command
        .stdin(side())
        .stdout(side())
        .stderr(side())
        .spawn()
        .unwrap();
    // Its ends of the terminal go with it, so that the reading below ends.
    drop(command);

    let mut keyboard = File::from(master);
    let mut screen = keyboard.try_clone().unwrap();
    let seen: Arc<Mutex<Vec<u8>>> = Arc::default();
    let shown = Arc::clone(&seen);
    let reader = std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = screen.read(&mut buffer) {
            shown.lock().unwrap().extend(&buffer[..count]);
        }
    });
    let text = || String::from_utf8_lossy(&seen.lock().unwrap()).into_owned();
    let mut read = 0;
    for (question, answer) in answers {
        let began = Instant::now();
        loop {
            let text = text();
            if let Some(at) = text.get(read..).and_then(|rest| rest.find(question)) {
                read += at + question.len();
                break;
            }
            assert!(
                began.elapsed() < QUESTION_TIMEOUT,
                "{question} was not asked: {text}"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        // What turns the echo off throws away what was typed before.
        std::thread::sleep(Duration::from_millis(300));
        writeln!(keyboard, "{answer}").unwrap();
    }
    let code = child.wait().unwrap().code().unwrap();
    reader.join().unwrap();
    Screen { code, text: text() }
}
