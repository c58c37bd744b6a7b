//! The agent as a process.

use std::{
    path::Path,
    process::{Child, Command, Output, Stdio},
};

/// Ends with this value.
pub struct Agent(Child);

/// `tiffin print …` in the making, with this folder for its state.
pub fn command(url: &str, state: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tiffin"));
    command
        .arg("print")
        .args(args)
        .env("TIFFIN_URL", url)
        .env("TIFFIN_PRINT_STATE", state)
        .env_remove("TIFFIN_TOKEN")
        .stdin(Stdio::null());
    command
}

/// Runs a command to its end.
pub fn output(mut command: Command) -> Output {
    command.output().unwrap()
}

impl Agent {
    pub fn start(url: &str, state: &Path, restaurant: &str, printer: &str) -> Self {
        let args = ["--restaurant", restaurant, "--printer", printer];
        Self::spawn(&mut command(url, state, &args))
    }

    pub fn spawn(command: &mut Command) -> Self {
        Self(command.spawn().unwrap())
    }

    /// Its exit code, once it has ended by itself.
    pub fn exit_code(&mut self) -> Option<i32> {
        self.0.try_wait().unwrap()?.code()
    }

    /// SIGKILL.
    pub fn kill(self) {
        drop(self);
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
