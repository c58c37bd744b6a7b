//! A store of files: a folder or a bucket. Each thing has a folder under its id, such as a picture with its renditions.

use std::{
    io::ErrorKind,
    path::{self, PathBuf},
    sync::Arc,
};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream::BoxStream};
pub use object_store::{Error, Result, buffered::BufWriter};
use object_store::{
    ObjectStore, ObjectStoreExt, local::LocalFileSystem, parse_url_opts, path::Path,
    prefix::PrefixStore,
};
use tokio::sync::OnceCell;
use url::Url;
use uuid::Uuid;

use crate::{Env, env::EnvError};

/// Settings of an S3 store, as its own tools call them.
const S3: [&str; 7] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_REGION",
    "AWS_ENDPOINT",
    "AWS_ALLOW_HTTP",
    "AWS_VIRTUAL_HOSTED_STYLE_REQUEST",
];
/// The bytes that a writer gathers before it sends them, and the parts that it sends at once.
const PART_SIZE: usize = 8 * 1024 * 1024;
const PARTS_AT_ONCE: usize = 2;

/// The settings of an S3 store in the environment, by name in lower case.
pub fn s3_settings(env: &Env) -> impl Iterator<Item = (String, String)> {
    let names = S3.into_iter();
    names.filter_map(|name| Some((name.to_ascii_lowercase(), env.get(name)?.to_owned())))
}

/// The settings of a store.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The variable with the URL of a bucket, with the usual `AWS_…` settings.
    pub url: &'static str,
    /// The variable with a folder.
    pub folder: &'static str,
    /// The folder below `$TIFFIN_HOME` without either.
    pub default: &'static str,
    /// The folder of the things within the store.
    pub things: &'static str,
}

/// The store. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Storage(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// The local folder. It is created when it is first needed, so that describing a service creates none.
    folder: Option<PathBuf>,
    store: OnceCell<Arc<dyn ObjectStore>>,
    things: &'static str,
}

impl Storage {
    /// The store that `env` names.
    pub fn read(env: &Env, place: Place) -> Result<Self, EnvError> {
        let things = place.things;
        if let Some(url) = env.parse::<Url>(place.url)? {
            return Self::remote(&url, s3_settings(env), things).map_err(|error| {
                EnvError::Invalid {
                    name: place.url,
                    reason: error.to_string(),
                }
            });
        }
        let folder = env.get(place.folder).map_or_else(
            || path::Path::new(env.get("TIFFIN_HOME").unwrap_or(".tiffin")).join(place.default),
            |folder| path::Path::new(folder).to_owned(),
        );
        Ok(Self(Arc::new(Inner {
            folder: Some(folder),
            store: OnceCell::new(),
            things,
        })))
    }

    /// A bucket by its URL, with settings by name in lower case.
    fn remote(
        url: &Url,
        settings: impl Iterator<Item = (String, String)>,
        things: &'static str,
    ) -> Result<Self> {
        let (store, prefix) = parse_url_opts(url, settings)?;
        let store: Arc<dyn ObjectStore> = Arc::new(PrefixStore::new(store, prefix));
        Ok(Self(Arc::new(Inner {
            folder: None,
            store: OnceCell::new_with(Some(store)),
            things,
        })))
    }

    pub async fn put(&self, id: Uuid, key: &str, bytes: Bytes) -> Result<()> {
        let store = self.store().await?;
        store.put(&self.path(id, key), bytes.into()).await?;
        Ok(())
    }

    /// A writer of a file that may be large. The file is there once the writer is shut down.
    pub async fn writer(&self, id: Uuid, key: &str) -> Result<BufWriter> {
        let store = Arc::clone(self.store().await?);
        let writer = BufWriter::with_capacity(store, self.path(id, key), PART_SIZE);
        Ok(writer.with_max_concurrency(PARTS_AT_ONCE))
    }

    /// `None` where there is nothing.
    pub async fn get(&self, id: Uuid, key: &str) -> Result<Option<Bytes>> {
        match self.store().await?.get(&self.path(id, key)).await {
            Ok(found) => found.bytes().await.map(Some),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The size of a file and its bytes; `None` where there is nothing.
    pub async fn stream(
        &self,
        id: Uuid,
        key: &str,
    ) -> Result<Option<(u64, BoxStream<'static, Result<Bytes>>)>> {
        match self.store().await?.get(&self.path(id, key)).await {
            Ok(found) => Ok(Some((found.meta.size, found.into_stream()))),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes all files of a thing, and what a killed process left of one. Nothing happens if there is none.
    pub async fn remove(&self, id: Uuid) -> Result<()> {
        if let Some(folder) = &self.0.folder {
            // The store's own list leaves out files that were never finished.
            let folder = folder.join(self.0.things).join(id.to_string());
            return match tokio::fs::remove_dir_all(&folder).await {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    Err(in_folder(&folder, &error))
                }
                _ => Ok(()),
            };
        }
        let store = self.store().await?;
        let found = store.list(Some(&self.things_folder(id)));
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

    async fn store(&self) -> Result<&Arc<dyn ObjectStore>> {
        let made = self.0.store.get_or_try_init(async || {
            let folder = self.0.folder.clone().unwrap_or_default();
            let mut private = tokio::fs::DirBuilder::new();
            let made = private.recursive(true).mode(0o700).create(&folder);
            made.await.map_err(|error| in_folder(&folder, &error))?;
            let local = LocalFileSystem::new_with_prefix(folder)?.with_automatic_cleanup(true);
            Ok(Arc::new(local) as Arc<dyn ObjectStore>)
        });
        made.await
    }

    fn things_folder(&self, id: Uuid) -> Path {
        Path::from_iter([self.0.things.to_owned(), id.to_string()])
    }

    fn path(&self, id: Uuid, key: &str) -> Path {
        self.things_folder(id).join(key)
    }
}

fn in_folder(folder: &path::Path, error: &std::io::Error) -> Error {
    let source = format!("{}: {error}", folder.display()).into();
    Error::Generic {
        store: "folder",
        source,
    }
}
