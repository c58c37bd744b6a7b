//! The objects that the archive is made of: a folder or a bucket. None is ever overwritten.

use std::{path::PathBuf, sync::Arc};

use bytes::Bytes;
use futures_util::TryStreamExt;
use object_store::{
    Error, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, Result, local::LocalFileSystem,
    parse_url_opts, path::Path, prefix::PrefixStore,
};
use tokio::sync::OnceCell;
use url::Url;

use crate::ArchiveError;

/// The folder of the archive in a bucket, beside others of the platform.
const PREFIX: &str = "archive";

#[derive(Debug)]
pub(crate) enum Store {
    /// The folder is created when it is first needed, so that describing a service creates none.
    Folder(PathBuf, OnceCell<LocalFileSystem>),
    Remote(Arc<dyn ObjectStore>),
}

impl Store {
    /// A bucket by its URL, with settings by name in lower case.
    pub fn of_url(url: &Url, settings: impl Iterator<Item = (String, String)>) -> Result<Self> {
        let (store, prefix) = parse_url_opts(url, settings)?;
        let store = PrefixStore::new(store, prefix.join(PREFIX));
        Ok(Self::Remote(Arc::new(store)))
    }

    /// Creates an object; false if there is one already.
    pub async fn create(&self, path: &str, bytes: Bytes) -> Result<bool, ArchiveError> {
        let store = self.objects().await.map_err(at(path))?;
        let (location, exclusively) = (Path::from(path), PutMode::Create.into());
        match store.put_opts(&location, bytes.into(), exclusively).await {
            Ok(_) => Ok(true),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(false),
            Err(error) => Err(at(path)(error)),
        }
    }

    /// `None` where there is nothing.
    pub async fn get(&self, path: &str) -> Result<Option<Bytes>, ArchiveError> {
        let store = self.objects().await.map_err(at(path))?;
        let found = async { store.get(&Path::from(path)).await?.bytes().await };
        match found.await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(at(path)(error)),
        }
    }

    /// The objects of a folder; with `after`, only those whose path comes after it.
    pub async fn list(
        &self,
        folder: &str,
        after: Option<&str>,
    ) -> Result<Vec<ObjectMeta>, ArchiveError> {
        let store = self.objects().await.map_err(at(folder))?;
        let prefix = Path::from(folder);
        let found = match after {
            Some(after) => store.list_with_offset(Some(&prefix), &Path::from(after)),
            None => store.list(Some(&prefix)),
        };
        let mut found: Vec<ObjectMeta> = found.try_collect().await.map_err(at(folder))?;
        found.sort_by(|one, other| one.location.cmp(&other.location));
        Ok(found)
    }

    /// Nothing happens if there is no such object.
    pub async fn delete(&self, path: &str) -> Result<(), ArchiveError> {
        let store = self.objects().await.map_err(at(path))?;
        match store.delete(&Path::from(path)).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(at(path)(error)),
        }
    }

    async fn objects(&self) -> Result<&dyn ObjectStore> {
        match self {
            Self::Remote(store) => Ok(&**store),
            Self::Folder(folder, made) => made
                .get_or_try_init(|| make(folder))
                .await
                .map(|store| store as &dyn ObjectStore),
        }
    }
}

async fn make(folder: &PathBuf) -> Result<LocalFileSystem> {
    let mut private = tokio::fs::DirBuilder::new();
    let made = private.recursive(true).mode(0o700).create(folder);
    made.await.map_err(|error| {
        let source = format!("{}: {error}", folder.display()).into();
        Error::Generic {
            store: "folder",
            source,
        }
    })?;
    // A message is deleted from its stream once it is here: it must be on disk.
    Ok(LocalFileSystem::new_with_prefix(folder)?.with_fsync(true))
}

fn at(path: &str) -> impl FnOnce(Error) -> ArchiveError {
    move |source| ArchiveError::Store {
        path: path.to_owned(),
        source,
    }
}
