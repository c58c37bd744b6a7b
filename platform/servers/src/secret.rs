use std::{
    fmt::Write as _,
    io::{ErrorKind, Write},
    path::Path,
};

use aws_lc_rs::hmac;
use base64::{Engine, engine::general_purpose::STANDARD};
use rand::{RngExt, distr::Alphabetic};
use tempfile::NamedTempFile;

use crate::{At, ServersError};

/// The password in a file that its owner alone reads; made up and written if it is missing. Letters
/// only: nats-server would take a digit in front for a number.
pub(crate) fn password(file: &Path) -> Result<String, ServersError> {
    match std::fs::read_to_string(file) {
        Ok(kept) if !kept.trim().is_empty() => return Ok(kept.trim().to_owned()),
        // Its writing was cut short: no server takes an empty one.
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error).at(file),
    }
    let made: String = rand::rng()
        .sample_iter(Alphabetic)
        .take(40)
        .map(char::from)
        .collect();
    write(file, &made)?;
    Ok(made)
}

/// A key of 32 random bytes in base64, in a file that its owner alone reads; made up and written if it
/// is missing.
pub(crate) fn key(file: &Path) -> Result<String, ServersError> {
    match std::fs::read_to_string(file) {
        Ok(kept) if !kept.trim().is_empty() => return Ok(kept.trim().to_owned()),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error).at(file),
    }
    let made = STANDARD.encode(rand::random::<[u8; 32]>());
    write(file, &made)?;
    Ok(made)
}

/// A password for one purpose that follows from a secret: the same each time, and it tells nothing of
/// the secret or of the others (HMAC, RFC 2104). A letter comes first, for nats-server's sake.
pub(crate) fn derived(secret: &str, purpose: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = hmac::sign(&key, purpose.as_bytes());
    let mut password = String::from("t");
    for byte in tag.as_ref() {
        // Writing into memory does not fail.
        let _ = write!(password, "{byte:02x}");
    }
    password
}

fn write(file: &Path, made: &str) -> Result<(), ServersError> {
    // Beside it first, so that it is never there in part.
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut fresh = NamedTempFile::new_in(folder).at(folder)?;
    fresh.write_all(made.as_bytes()).at(file)?;
    fresh.as_file().sync_all().at(file)?;
    fresh.persist(file).at(file)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::{derived, key, password};

    #[test]
    fn a_key_stays_and_what_follows_from_a_secret_differs_by_purpose() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("master-key");
        let made = key(&file).unwrap();
        assert_eq!((made.len(), key(&file).unwrap()), (44, made.clone()));
        let permissions = file.metadata().unwrap().permissions();
        assert_eq!(permissions.mode() & 0o777, 0o600);
        assert_eq!(derived("a", "nats/order"), derived("a", "nats/order"));
        assert_ne!(derived("a", "nats/order"), derived("a", "nats/user"));
        assert_ne!(derived("a", "nats/order"), derived("b", "nats/order"));
    }

    #[test]
    fn a_password_is_made_once_and_an_empty_file_holds_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("password");
        std::fs::write(&file, "").unwrap();
        let made = password(&file).unwrap();
        assert_eq!(made.len(), 40);
        assert_eq!(password(&file).unwrap(), made);
        let permissions = file.metadata().unwrap().permissions();
        assert_eq!(permissions.mode() & 0o777, 0o600);
    }
}
