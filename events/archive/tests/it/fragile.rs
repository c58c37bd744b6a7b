//! A store that fails at a chosen moment.

use std::{
    fmt,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use async_trait::async_trait;
use futures_util::{StreamExt, future::BoxFuture, stream, stream::BoxStream};
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result, memory::InMemory,
    path::Path,
};

/// The way in which a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing happens.
    Before,
    /// It happens, and the answer is lost.
    After,
    /// An object is created with a flipped bit, and nothing is said.
    Flip,
}

type Hook = Box<dyn FnOnce() -> BoxFuture<'static, ()> + Send>;

/// Objects in memory. From the chosen call on, every call fails, as if the process were dead.
pub struct Fragile {
    inner: Arc<InMemory>,
    fault: Fault,
    /// Calls until the fault.
    left: AtomicUsize,
    /// Called before the next entry of a manifest is created.
    hook: Mutex<Option<Hook>>,
}

impl Fragile {
    pub fn new(inner: Arc<InMemory>, fault: Fault, calls: usize) -> Self {
        Self {
            inner,
            fault,
            left: AtomicUsize::new(calls),
            hook: Mutex::default(),
        }
    }

    /// Never fails, but calls `hook` before the next entry of a manifest is created.
    pub fn hooked(inner: Arc<InMemory>, hook: Hook) -> Self {
        let store = Self::new(inner, Fault::Before, usize::MAX);
        *store.hook.lock().unwrap() = Some(hook);
        store
    }

    /// True if the chosen call came.
    pub fn is_broken(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }

    /// The fault of this call.
    fn fault(&self) -> Option<Fault> {
        let left = self.left.load(Ordering::Relaxed);
        if left == 0 {
            return Some(Fault::Before);
        }
        self.left.store(left - 1, Ordering::Relaxed);
        (left == 1).then_some(self.fault)
    }
}

fn dead<T>() -> Result<T> {
    Err(Error::Generic {
        store: "fragile",
        source: "it is dead".into(),
    })
}

#[async_trait]
impl ObjectStore for Fragile {
    async fn put_opts(
        &self,
        path: &Path,
        payload: PutPayload,
        opts: PutOptions,
    ) -> Result<PutResult> {
        let is_entry = path.as_ref().contains("/manifest/");
        let hook = is_entry.then(|| self.hook.lock().unwrap().take());
        if let Some(Some(hook)) = hook {
            hook().await;
        }
        match self.fault() {
            Some(Fault::Before) => dead(),
            Some(Fault::After) => {
                self.inner.put_opts(path, payload, opts).await?;
                dead()
            }
            Some(Fault::Flip) => {
                let mut bytes: Vec<u8> = payload.iter().flatten().copied().collect();
                let middle = bytes.len() / 2;
                bytes[middle] ^= 4;
                self.left.store(usize::MAX, Ordering::Relaxed);
                self.inner.put_opts(path, bytes.into(), opts).await
            }
            None => self.inner.put_opts(path, payload, opts).await,
        }
    }

    async fn get_opts(&self, path: &Path, options: GetOptions) -> Result<GetResult> {
        match self.fault() {
            Some(Fault::Before | Fault::After) => dead(),
            _ => self.inner.get_opts(path, options).await,
        }
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        match self.fault() {
            Some(Fault::Before | Fault::After) => stream::iter([dead()]).boxed(),
            _ => self.inner.list(prefix),
        }
    }

    async fn put_multipart_opts(
        &self,
        _: &Path,
        _: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        dead()
    }

    fn delete_stream(
        &self,
        _: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        stream::iter([dead()]).boxed()
    }

    async fn list_with_delimiter(&self, _: Option<&Path>) -> Result<ListResult> {
        dead()
    }

    async fn copy_opts(&self, _: &Path, _: &Path, _: CopyOptions) -> Result<()> {
        dead()
    }
}

impl fmt::Debug for Fragile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fragile")
    }
}

impl fmt::Display for Fragile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fragile")
    }
}
