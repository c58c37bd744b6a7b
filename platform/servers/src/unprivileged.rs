//! PostgreSQL refuses to run as root. Started as root, we run it and OSRM as an unprivileged user, who must be able to
//! reach its binaries and its data; no folder's mode is loosened for that.

use std::{
    os::unix::{
        ffi::OsStrExt,
        fs::{DirBuilderExt, MetadataExt},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::Command,
};

use rustix::process::geteuid;

use crate::{At, ServersError};

/// The unprivileged user's number in every Linux distribution.
const UNPRIVILEGED: u32 = 65534;

/// The folder of an unprivileged server's data if it can't reach the home.
const FALLBACK_FOLDER: &str = "/var/lib/tiffin";

/// The user to run as instead of root; `None` if we are not root.
pub(crate) fn user() -> Option<u32> {
    geteuid().is_root().then_some(UNPRIVILEGED)
}

/// Runs a command as that user.
pub(crate) fn apply(command: &mut Command) {
    if let Some(user) = user() {
        command.uid(user).gid(user);
    }
}

/// Makes that user the owner of a path.
pub(crate) fn chown(path: &Path) -> Result<(), ServersError> {
    match user() {
        Some(user) => std::os::unix::fs::chown(path, Some(user), Some(user)).at(path),
        None => Ok(()),
    }
}

/// Makes a folder that belongs to that user, who alone may read it.
pub(crate) fn make_folder(folder: &Path) -> Result<(), ServersError> {
    if let Some(parent) = folder.parent() {
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o755)
            .create(parent)
            .at(parent)?;
    }
    // Recursive: another process may make it at the same moment.
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .at(folder)?;
    chown(folder)
}

/// True if that user can walk to `path`, through every folder above it.
pub(crate) fn reaches(path: &Path) -> bool {
    let Some(user) = user() else { return true };
    path.ancestors().all(|folder| match folder.metadata() {
        Ok(found) if found.uid() == user => found.mode() & 0o100 != 0,
        Ok(found) => found.mode() & 0o001 != 0,
        // It will be made, open enough.
        Err(_) => true,
    })
}

/// A folder that the user reaches: `wanted` itself, or one made from its name below `/var/lib`.
pub(crate) fn reachable(wanted: &Path) -> PathBuf {
    if reaches(wanted) {
        return wanted.to_owned();
    }
    Path::new(FALLBACK_FOLDER).join(format!("{:016x}", fingerprint(wanted)))
}

/// FNV-1a, which is the same in every release of everything: data must be found again.
fn fingerprint(path: &Path) -> u64 {
    path.as_os_str()
        .as_bytes()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_always_maps_to_the_same_folder() {
        assert_eq!(fingerprint(Path::new("a")), 0xaf63_dc4c_8601_ec8c);
    }

    #[test]
    fn many_make_one_folder_at_once() {
        let parent = tempfile::tempdir().unwrap();
        for round in 0..50 {
            let folder = parent.path().join(round.to_string());
            let together = std::sync::Barrier::new(8);
            std::thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| {
                        together.wait();
                        make_folder(&folder).unwrap();
                    });
                }
            });
            let mode = folder.metadata().unwrap().mode();
            assert_eq!(mode & 0o777, 0o700);
        }
    }
}
