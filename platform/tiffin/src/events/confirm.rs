//! Reasons, and numbers typed to confirm. Without a terminal, missing ones are refused.

use anyhow::Result;

use super::Reason;
use crate::client::{
    failure::{Exit, Failure},
    terminal::{ask, is_interactive},
};

/// The longest reason, in characters.
const MAX_REASON_CHARS: usize = 500;

impl Reason {
    /// The reason, as given or as typed.
    pub fn get(&self) -> Result<String> {
        let reason = match &self.reason {
            Some(reason) => reason.trim().to_owned(),
            None if is_interactive() => ask("Reason:")?,
            None => String::new(),
        };
        if reason.is_empty() {
            return Err(Failure::usage(
                "Give a reason with --reason \"…\". It is recorded in the audit.",
            )
            .into());
        }
        if reason.chars().count() > MAX_REASON_CHARS {
            let message =
                format!("The reason is too long: give at most {MAX_REASON_CHARS} characters.");
            return Err(Failure::usage(message).into());
        }
        Ok(reason)
    }
}

/// Asks the user to type the number of items that are about to change. With `yes` nothing is asked.
pub fn confirm_count(yes: bool, what: &str, number: u64) -> Result<()> {
    if yes {
        return Ok(());
    }
    if !is_interactive() {
        let message = format!("{number} {what}. Confirm with --yes.");
        return Err(Failure::refused(message).into());
    }
    if ask(&format!("{number} {what}. Type {number} to confirm:"))? == number.to_string() {
        return Ok(());
    }
    let message = format!("The number typed is not {number}. Nothing was done.");
    Err(Failure::new(Exit::Refused, message).into())
}
