//! The binary, as a shell would start it.

use std::{
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::{
    accounts::{Account, PASSWORD},
    stack::Stack,
};

/// The account and the address of a call.
pub struct Cli {
    /// The file of its sessions.
    home: TempDir,
    url: String,
    token: Option<String>,
}

/// The result of a call.
#[derive(Debug)]
pub struct CommandResult {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Cli {
    /// With a person's token.
    pub fn of(stack: &Stack, account: &Account) -> Self {
        Self {
            token: Some(account.token.clone()),
            ..Self::at(stack.url())
        }
    }

    /// Without a session.
    pub fn at(url: &str) -> Self {
        Self {
            home: tempfile::tempdir().unwrap(),
            url: url.to_owned(),
            token: None,
        }
    }

    /// With another token, valid or not.
    pub fn with_token(url: &str, token: &str) -> Self {
        Self {
            token: Some(token.to_owned()),
            ..Self::at(url)
        }
    }

    pub fn sessions(&self) -> PathBuf {
        self.home.path().join("tiffin/sessions.json")
    }

    /// `tiffin events …` in the making.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tiffin"));
        command
            .arg("events")
            .args(args)
            .env("XDG_CONFIG_HOME", self.home.path())
            .env("TIFFIN_URL", &self.url)
            .env("TERM", "xterm-256color");
        for name in [
            "TIFFIN_TOKEN",
            "TIFFIN_PASSWORD",
            "TIFFIN_CODE",
            "NO_COLOR",
            "CLICOLOR_FORCE",
        ] {
            command.env_remove(name);
        }
        if let Some(token) = &self.token {
            // The token's proof may become too old meanwhile.
            command.env("TIFFIN_TOKEN", token);
            command.env("TIFFIN_PASSWORD", PASSWORD);
        }
        command
    }

    pub fn run(&self, args: &[&str]) -> CommandResult {
        self.run_with_input(args, "")
    }

    /// With something on its standard input.
    pub fn run_with_input(&self, args: &[&str], input: &str) -> CommandResult {
        let mut command = self.command(args);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        // What is refused at once reads nothing.
        let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        CommandResult {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Done well, for people.
    pub fn ok(&self, args: &[&str]) -> String {
        let result = self.run(args);
        assert_eq!(result.code, 0, "{args:?}: {result:?}");
        assert!(
            !result.out.contains('\u{1b}'),
            "colours without a terminal: {}",
            result.out
        );
        result.out
    }

    /// Done well, each line of it JSON.
    pub fn json(&self, args: &[&str]) -> Vec<Value> {
        let mut args = args.to_vec();
        args.push("--json");
        let out = self.ok(&args);
        out.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Refused with this code and these words.
    #[track_caller]
    pub fn refused(&self, args: &[&str], code: i32, words: &str) {
        let result = self.run(args);
        assert_eq!(result.code, code, "{args:?}: {result:?}");
        assert!(result.err.contains(words), "{args:?}: {result:?}");
        assert!(result.out.is_empty(), "{args:?}: {result:?}");
    }
}
