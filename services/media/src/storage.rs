//! The store of pictures: a folder or a bucket, each picture with its renditions under its id.

use std::{path::PathBuf, sync::Arc};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use object_store::{
    Error, ObjectStore, ObjectStoreExt, Result, local::LocalFileSystem, parse_url_opts, path::Path,
    prefix::PrefixStore,
};
use tokio::sync::OnceCell;
use url::Url;
use uuid::Uuid;

/// The key of the picture itself, beside its renditions.
pub const ORIGINAL: &str = "whole";

/// The store. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Storage(Arc<Backend>);

#[derive(Debug)]
enum Backend {
    /// The folder is created when it is first needed, so that describing the service creates none.
    Folder(PathBuf, OnceCell<LocalFileSystem>),
    Remote(Box<dyn ObjectStore>),
}

impl Storage {
    pub fn folder(folder: PathBuf) -> Self {
        Self(Arc::new(Backend::Folder(folder, OnceCell::new())))
    }

    /// A bucket by its URL, with settings by name in lower case.
    pub fn remote(url: &Url, settings: impl Iterator<Item = (String, String)>) -> Result<Self> {
        let (store, prefix) = parse_url_opts(url, settings)?;
        let store = PrefixStore::new(store, prefix);
        Ok(Self(Arc::new(Backend::Remote(Box::new(store)))))
    }

    pub async fn put(&self, id: Uuid, key: &str, bytes: Bytes) -> Result<()> {
        let store = self.store().await?;
        store.put(&path(id, key), bytes.into()).await?;
        Ok(())
    }

    /// `None` where there is nothing.
    pub async fn get(&self, id: Uuid, key: &str) -> Result<Option<Bytes>> {
        match self.store().await?.get(&path(id, key)).await {
            Ok(found) => found.bytes().await.map(Some),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes a picture with its renditions. Nothing happens if there is none.
    pub async fn remove(&self, id: Uuid) -> Result<()> {
        let store = self.store().await?;
        let found = store.list(Some(&folder(id)));
        let paths = found.map_ok(|object| object.location).boxed();
        let mut removed = store.delete_stream(paths);
        while let Some(removed) = removed.next().await {
            match removed {
                Ok(_) | Err(Error::NotFound { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    async fn store(&self) -> Result<&dyn ObjectStore> {
        match &*self.0 {
            Backend::Remote(store) => Ok(&**store),
            Backend::Folder(folder, made) => made
                .get_or_try_init(async || {
                    let mut private = tokio::fs::DirBuilder::new();
                    let made = private.recursive(true).mode(0o700).create(folder);
                    made.await.map_err(|error| {
                        let source = format!("{}: {error}", folder.display()).into();
                        Error::Generic {
                            store: "folder",
                            source,
                        }
                    })?;
                    Ok(LocalFileSystem::new_with_prefix(folder)?.with_automatic_cleanup(true))
                })
                .await
                .map(|store| store as &dyn ObjectStore),
        }
    }
}

fn folder(id: Uuid) -> Path {
    Path::from_iter(["pictures".to_owned(), id.to_string()])
}

fn path(id: Uuid, key: &str) -> Path {
    folder(id).join(key)
}
