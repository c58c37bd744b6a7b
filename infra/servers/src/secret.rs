use std::{
    io::{ErrorKind, Write},
    path::Path,
};

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
    // Beside it first, so that it is never there in part.
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut fresh = NamedTempFile::new_in(folder).at(folder)?;
    fresh.write_all(made.as_bytes()).at(file)?;
    fresh.as_file().sync_all().at(file)?;
    fresh.persist(file).at(file)?;
    Ok(made)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::password;

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
