//! Questions on a terminal. Without a terminal, missing answers are refused.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Result;

use super::failure::Failure;

/// True if a person can answer questions.
pub fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks for a line.
pub fn ask(question: &str) -> Result<String> {
    let mut terminal = io::stderr().lock();
    write!(terminal, "{question} ")?;
    terminal.flush()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim().to_owned())
}

/// The e-mail address to sign in with, as given or as typed.
pub fn email(given: Option<String>) -> Result<String> {
    match given {
        Some(email) => Ok(email),
        None if is_interactive() => ask("E-mail:"),
        None => Err(Failure::usage("Give the account's e-mail address with --email.").into()),
    }
}
