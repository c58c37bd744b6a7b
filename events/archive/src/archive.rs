use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use object_store::ObjectStore;
use tiffin_events::Stream;
use tokio::sync::OnceCell;
use url::Url;

use crate::{ArchiveError, Segment, store::Store};

/// The archive of all streams. Cheap to clone; clones share what they know of the manifests.
#[derive(Clone, Debug)]
pub struct Archive(pub(crate) Arc<Shared>);

#[derive(Debug)]
pub(crate) struct Shared {
    pub store: Store,
    /// The entries that were read. They never change.
    pub known: Mutex<HashMap<Stream, Arc<Vec<Segment>>>>,
}

impl Archive {
    /// An archive in a folder, which is created when it is first needed. What is written is on disk.
    pub fn folder(folder: PathBuf) -> Self {
        Self::of(Store::Folder(folder, OnceCell::new()))
    }

    /// An archive in a bucket by its URL, below `archive`, with settings by name in lower case. The bucket must
    /// support conditional writes (`If-None-Match`), as S3 does.
    pub fn remote(
        url: &Url,
        settings: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, ArchiveError> {
        let store = Store::of_url(url, settings).map_err(ArchiveError::Url)?;
        Ok(Self::of(store))
    }

    /// An archive in any store that creates objects exclusively.
    pub fn on(store: Arc<dyn ObjectStore>) -> Self {
        Self::of(Store::Remote(store))
    }

    fn of(store: Store) -> Self {
        let known = Mutex::default();
        Self(Arc::new(Shared { store, known }))
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }
}
