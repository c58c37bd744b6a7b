//! Folders that other users of the machine can't read.

use std::{
    fs::{DirBuilder, Permissions, set_permissions},
    io::ErrorKind,
    os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    path::Path,
};

use crate::{At, ServersError};

/// The mode of a folder that only its owner uses.
pub(crate) const OWNER_ONLY: u32 = 0o700;
/// The mode of a folder that others may pass through to their own folders below, and not read.
pub(crate) const TRAVERSABLE: u32 = 0o711;
/// The bit of a folder where anyone may create files, such as `/tmp`.
const STICKY: u32 = 0o1000;

/// Makes a folder with that mode. One that is there and open to more than that is closed to them; no mode
/// is ever loosened, and what belongs to another user or is everybody's stays as it is.
pub(crate) fn make(folder: &Path, mode: u32) -> Result<(), ServersError> {
    DirBuilder::new()
        .recursive(true)
        .mode(mode)
        .create(folder)
        .at(folder)?;
    let found = folder.metadata().at(folder)?.mode() & 0o7777;
    if found & STICKY != 0 || found & mode == found & 0o777 {
        return Ok(());
    }
    match set_permissions(folder, Permissions::from_mode(found & mode)) {
        Err(error) if error.kind() != ErrorKind::PermissionDenied => Err(error).at(folder),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_made_private_and_tightened_and_never_loosened() {
        let all = tempfile::tempdir().unwrap();
        let folder = all.path().join("home");
        let mode = || folder.metadata().unwrap().mode() & 0o7777;
        make(&folder, TRAVERSABLE).unwrap();
        assert_eq!(mode(), 0o711);
        for (found, wanted, left) in [
            (0o755, TRAVERSABLE, 0o711),
            (0o777, OWNER_ONLY, 0o700),
            (0o750, TRAVERSABLE, 0o710),
            (0o700, TRAVERSABLE, 0o700),
            (0o2750, OWNER_ONLY, 0o700),
            (0o1777, OWNER_ONLY, 0o1777),
        ] {
            set_permissions(&folder, Permissions::from_mode(found)).unwrap();
            make(&folder, wanted).unwrap();
            assert_eq!(mode(), left, "{found:o} for {wanted:o}");
        }
    }
}
