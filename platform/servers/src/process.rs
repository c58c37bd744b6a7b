//! A server's process and the watcher that ends it if we are gone.

use std::{
    ffi::OsStr,
    fs::{File, OpenOptions},
    io::{self, Write},
    os::unix::{fs::OpenOptionsExt, process::CommandExt},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::{At, ServersError};

/// The longest time that a server may take to stop before it is killed.
const STOP_TIMEOUT: Duration = Duration::from_secs(15);
/// The interval of checks whether a server has stopped.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// A larger log is emptied at the next start.
const MAX_LOG_BYTES: u64 = 8 * 1024 * 1024;

/// Waits for a line (we stopped the server ourselves) or the end of the pipe (we are gone: stop it,
/// kill it if it takes too long, remove its folder).
const WATCHER: &str = r#"
read -r line && exit 0
kill -"$2" "$1" 2>/dev/null
tries=0
while kill -0 "$1" 2>/dev/null && [ "$tries" -lt 150 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -KILL "$1" 2>/dev/null
[ -z "$3" ] || rm -rf -- "$3"
"#;

/// The part of our environment that a server gets: the paths of programs, libraries and temporary files,
/// and the time zone. Our settings, secrets among them, are not passed on.
const ENVIRONMENT: [&str; 4] = ["PATH", "LD_LIBRARY_PATH", "TMPDIR", "TZ"];

/// A command that knows no more of our environment than that.
pub(crate) fn program(path: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(path);
    let passed = ENVIRONMENT.map(|name| Some((name, std::env::var_os(name)?)));
    command.env_clear().envs(passed.into_iter().flatten());
    command
}

/// A running server.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    watcher: Child,
    stop: Signal,
    is_temporary: bool,
}

impl Process {
    /// Starts `command`, which writes to `log` and stops on `stop`. With `remove` that folder is gone
    /// once this process is.
    pub(crate) fn spawn(
        command: &mut Command,
        stop: Signal,
        log: &Path,
        remove: Option<&Path>,
    ) -> Result<Self, ServersError> {
        let output = open_log(log)?;
        let program = command.get_program().to_owned();
        let mut child = command
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(output.try_clone().at(log)?)
            .stderr(output)
            .spawn()
            .at(program)?;
        match watch(child.id(), stop, remove) {
            Ok(watcher) => Ok(Self {
                child,
                watcher,
                stop,
                is_temporary: remove.is_some(),
            }),
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(error).at("sh")
            }
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its exit status, if it has ended.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Asks it to stop, and kills it after a time of grace.
    pub(crate) async fn stop(mut self) {
        self.signal(self.stop);
        let asked = Instant::now();
        while self.ended().is_none() && asked.elapsed() < STOP_TIMEOUT {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    fn signal(&self, signal: Signal) {
        if let Some(pid) = pid(self.child.id()) {
            let _ = kill_process(pid, signal);
        }
    }
}

/// Kills what still runs: at once for a test's server, after a time of grace for one with data.
impl Drop for Process {
    fn drop(&mut self) {
        if !self.is_temporary && self.ended().is_none() {
            self.signal(self.stop);
            let asked = Instant::now();
            while self.ended().is_none() && asked.elapsed() < STOP_TIMEOUT {
                std::thread::sleep(POLL_INTERVAL);
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(mut pipe) = self.watcher.stdin.take() {
            let _ = pipe.write_all(b"stopped\n");
        }
        let _ = self.watcher.wait();
    }
}

impl Process {
    /// Kills it as a crash would, without a chance to clean up.
    pub(crate) fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn watch(server: u32, stop: Signal, remove: Option<&Path>) -> io::Result<Child> {
    program("sh")
        .args(["-c", WATCHER, "sh"])
        .arg(server.to_string())
        .arg(stop.as_raw().to_string())
        .arg(remove.unwrap_or(Path::new("")))
        .current_dir("/")
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

/// Opens a log that its owner alone reads: a database's errors quote data.
fn open_log(log: &Path) -> Result<File, ServersError> {
    let is_too_large = log
        .metadata()
        .is_ok_and(|found| found.len() > MAX_LOG_BYTES);
    OpenOptions::new()
        .create(true)
        .write(true)
        .append(!is_too_large)
        .truncate(is_too_large)
        .mode(0o600)
        .open(log)
        .at(log)
}

/// The end of a log, to say why a server did not start.
pub(crate) fn last_lines(log: &Path) -> String {
    let text = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text
        .lines()
        .rev()
        .filter(|line| !line.trim().is_empty())
        .take(4)
        .collect();
    lines.into_iter().rev().collect::<Vec<_>>().join(" | ")
}

/// Ends a server that an earlier process left behind: `pid_file` names it, and `folder` in its command
/// line shows that it is ours and not a stranger with the same number.
pub(crate) async fn end_stale(pid_file: &Path, folder: &Path, stop: Signal) {
    let Some(pid) = std::fs::read_to_string(pid_file)
        .ok()
        .and_then(|text| text.lines().next()?.trim().parse().ok())
        .and_then(pid)
    else {
        return;
    };
    if !command_line(pid).contains(&*folder.to_string_lossy()) {
        return;
    }
    let _ = kill_process(pid, stop);
    let asked = Instant::now();
    while test_kill_process(pid).is_ok() {
        if asked.elapsed() > STOP_TIMEOUT {
            let _ = kill_process(pid, Signal::KILL);
            return;
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

fn pid(number: u32) -> Option<Pid> {
    i32::try_from(number).ok().and_then(Pid::from_raw)
}

fn command_line(pid: Pid) -> String {
    let number = pid.as_raw_nonzero().to_string();
    if let Ok(line) = std::fs::read(format!("/proc/{number}/cmdline")) {
        return String::from_utf8_lossy(&line).into_owned();
    }
    let answer = Command::new("ps")
        .args(["-o", "args=", "-p", &number])
        .output();
    answer
        .map(|answer| String::from_utf8_lossy(&answer.stdout).into_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::{open_log, program};

    #[test]
    fn a_server_knows_nothing_of_our_settings() {
        let answer = program("env").output().unwrap();
        let environment = String::from_utf8(answer.stdout).unwrap();
        assert!(environment.contains("PATH="), "{environment}");
        // Cargo tells a test about its package.
        assert!(!environment.contains("CARGO"), "{environment}");
    }

    #[test]
    fn a_log_is_its_owners() {
        let folder = tempfile::tempdir().unwrap();
        let log = open_log(&folder.path().join("postgres.log")).unwrap();
        let mode = log.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
