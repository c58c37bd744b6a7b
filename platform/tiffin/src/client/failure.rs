//! Exit codes, for scripts.

use std::{error::Error, fmt, process::ExitCode};

use reqwest::StatusCode;

/// The exit codes, as the help and the manual list them.
pub const CODES: &str = "\
Exit codes:
  0    done
  1    failed, cancelled, or not equal
  2    wrong usage: an argument, a missing reason, an empty range, a replay whose filter matches nothing
  3    not signed in, or not allowed
  4    not found: no such stream, event, order, consumer, replay or dead letter
  5    the platform, or the service that has to do it, can't be reached
  6    refused: the consumer is busy, not confirmed, the stream holds other events
  130  stopped waiting (Ctrl-C); what was begun goes on";

/// The kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    Failed = 1,
    Usage = 2,
    NotAllowed = 3,
    NotFound = 4,
    Unreachable = 5,
    Refused = 6,
    Interrupted = 130,
}

impl Exit {
    /// The meaning of an answer's status.
    pub fn of(status: StatusCode) -> Self {
        match status.as_u16() {
            400 | 413 | 415 | 422 => Self::Usage,
            401 | 403 => Self::NotAllowed,
            404 => Self::NotFound,
            409 => Self::Refused,
            429 | 502..=504 => Self::Unreachable,
            _ => Self::Failed,
        }
    }
}

/// A failure in words, with its kind.
#[derive(Clone, Debug)]
pub struct Failure {
    pub exit: Exit,
    pub message: String,
    /// The events that match, where their number has to be typed first.
    pub matched: Option<u64>,
    /// True if the platform asks for a proof.
    pub wants_proof: bool,
    /// The challenge to send with the code, if a sign-in asks for one.
    pub challenge: Option<String>,
}

impl Failure {
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            exit,
            message: message.into(),
            matched: None,
            wants_proof: false,
            challenge: None,
        }
    }
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(Exit::Failed, message)
    }
    pub fn refused(message: impl Into<String>) -> Self {
        Self::new(Exit::Refused, message)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Failure {}

impl From<reqwest::Error> for Failure {
    fn from(error: reqwest::Error) -> Self {
        if error.is_decode() && !error.is_timeout() {
            return Self::failed(format!("The answer can't be read: {}", causes(&error)));
        }
        Self::new(
            Exit::Unreachable,
            format!("The platform can't be reached: {}", causes(&error)),
        )
    }
}

/// An error with its causes.
fn causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text = format!("{text}: {cause}");
        next = cause.source();
    }
    text
}

/// The exit code of an error.
pub fn exit_code(error: &anyhow::Error) -> ExitCode {
    let exit = error.downcast_ref::<Failure>().map(|failure| failure.exit);
    ExitCode::from(exit.unwrap_or(Exit::Failed) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_the_code_that_the_help_tells_of() {
        for (status, exit) in [
            (400, Exit::Usage),
            (401, Exit::NotAllowed),
            (403, Exit::NotAllowed),
            (404, Exit::NotFound),
            (409, Exit::Refused),
            (422, Exit::Usage),
            (500, Exit::Failed),
            (503, Exit::Unreachable),
        ] {
            assert_eq!(Exit::of(StatusCode::from_u16(status).unwrap()), exit);
            let is_listed = CODES
                .lines()
                .any(|line| line.trim_start().starts_with(&format!("{} ", exit as u8)));
            assert!(is_listed, "{exit:?} is not in the help");
        }
    }
}
