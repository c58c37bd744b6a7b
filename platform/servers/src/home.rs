use std::{
    fs::{File, TryLockError},
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use crate::{At, ServersError, private, secret, unprivileged};

/// The folder that servers keep their data, logs, passwords and fetched binaries in.
#[derive(Debug)]
pub struct Home {
    folder: PathBuf,
    packages: PathBuf,
    temporary: Option<TempDir>,
    /// Held while we live, so that two processes never run servers on the same data.
    _lock: Option<File>,
}

impl Home {
    /// A folder that stays, for one process at a time. Made if it is missing, and closed to other users
    /// where it is open to them. Under root they may pass through it, and see nothing of it: PostgreSQL,
    /// which runs as another user then, has its data below.
    pub fn at(folder: &Path) -> Result<Self, ServersError> {
        private::make(
            folder,
            unprivileged::user().map_or(private::OWNER_ONLY, |_| private::TRAVERSABLE),
        )?;
        let folder = folder.canonicalize().at(folder)?;
        let lock_file = folder.join("lock");
        let lock = File::create(&lock_file).at(&lock_file)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ServersError::InUse(folder)),
            Err(TryLockError::Error(error)) => return Err(error).at(lock_file),
        }
        Ok(Self {
            packages: folder.join("servers"),
            folder,
            temporary: None,
            _lock: Some(lock),
        })
    }

    /// Fetches binaries to another folder, which several homes may share.
    #[must_use]
    pub fn with_packages(mut self, packages: PathBuf) -> Self {
        self.packages = packages;
        self
    }

    /// A fresh folder that goes when this is dropped or, at the latest, with the process. Binaries are
    /// fetched to `packages`, which stays.
    pub fn temporary(packages: &Path) -> Result<Self, ServersError> {
        let parent = std::env::temp_dir();
        let temporary = tempfile::Builder::new()
            .prefix("tiffin-")
            .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .tempdir_in(&parent)
            .at(&parent)?;
        let folder = temporary.path().canonicalize().at(temporary.path())?;
        Ok(Self {
            folder,
            packages: packages.to_owned(),
            temporary: Some(temporary),
            _lock: None,
        })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of fetched binaries.
    pub fn packages(&self) -> &Path {
        &self.packages
    }

    /// A key that stays with the folder, made up when it is first asked for: letters, 40 of them.
    pub fn secret(&self, name: &str) -> Result<String, ServersError> {
        secret::password(&self.folder.join(name))
    }

    /// A key of 32 bytes in base64 that stays with the folder, made up when it is first asked for.
    pub fn key(&self, name: &str) -> Result<String, ServersError> {
        secret::key(&self.folder.join(name))
    }

    /// A password for one purpose, which stays with the folder.
    pub fn password(&self, purpose: &str) -> Result<String, ServersError> {
        Ok(secret::derived(&self.secret("passwords")?, purpose))
    }

    /// The folder that a watcher removes when this process is gone.
    pub(crate) fn to_remove(&self) -> Option<&Path> {
        self.temporary.as_ref().map(TempDir::path)
    }

    /// A folder for logs; made if it is missing.
    pub(crate) fn log(&self, name: &str) -> Result<PathBuf, ServersError> {
        let folder = self.folder.join("log");
        private::make(&folder, private::OWNER_ONLY)?;
        Ok(folder.join(name))
    }
}
