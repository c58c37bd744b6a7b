use std::{
    fs::OpenOptions,
    io::{ErrorKind, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use rand::{RngExt, distr::Alphabetic};

use crate::{At, ServersError};

/// The password in a file that its owner alone reads; made up and written if it is missing. Letters
/// only: nats-server would take a digit in front for a number.
pub(crate) fn password(file: &Path) -> Result<String, ServersError> {
    let made: String = rand::rng()
        .sample_iter(Alphabetic)
        .take(40)
        .map(char::from)
        .collect();
    match OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(file)
    {
        Ok(mut open) => {
            open.write_all(made.as_bytes()).at(file)?;
            Ok(made)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let kept = std::fs::read_to_string(file).at(file)?;
            Ok(kept.trim().to_owned())
        }
        Err(error) => Err(error).at(file),
    }
}
