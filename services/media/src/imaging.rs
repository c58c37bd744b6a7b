//! Decoding and rendering, off the async threads and a few at a time: a picture of 40 megapixels takes
//! some 300 MB and a second or two.

mod animation;
mod colour;
mod decode;
mod encode;
mod png;
mod webp;

#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use crate::{
    error::{Error, Refusal},
    picture::{Format, Rendition},
};

/// Uploads, and renditions, that may wait or be worked on. One of each is worked on at a time.
const QUEUE_LENGTH: usize = 16;

/// The processing of pictures. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Imaging {
    uploads: Queue,
    renditions: Queue,
    /// Renditions that are being rendered, by picture and key.
    renderings: Arc<Mutex<HashMap<(Uuid, String), Rendering>>>,
}

/// A rendition under way, for every request that waits for it.
pub type Rendering = Shared<BoxFuture<'static, Result<Bytes, Arc<Error>>>>;

#[derive(Clone, Debug)]
struct Queue {
    queue: Arc<Semaphore>,
    worker: Arc<Semaphore>,
}

impl Queue {
    fn new() -> Self {
        Self {
            queue: Arc::new(Semaphore::new(QUEUE_LENGTH)),
            worker: Arc::new(Semaphore::new(1)),
        }
    }

    async fn turn(&self) -> Result<Turn, Refusal> {
        let queued = Arc::clone(&self.queue).try_acquire_owned();
        let queued = queued.map_err(|_| Refusal::Busy)?;
        let worker = Arc::clone(&self.worker).acquire_owned().await;
        Ok(Turn {
            _queued: queued,
            _worker: worker.map_err(|_| Refusal::Busy)?,
        })
    }
}

/// Permission to process one picture.
#[derive(Debug)]
pub struct Turn {
    _queued: OwnedSemaphorePermit,
    _worker: OwnedSemaphorePermit,
}

/// An upload as it is stored.
#[derive(Debug)]
pub struct Reencoded {
    pub bytes: Bytes,
    pub format: Format,
    /// Pixels.
    pub width: u32,
    pub height: u32,
}

impl Imaging {
    pub fn new() -> Self {
        Self {
            uploads: Queue::new(),
            renditions: Queue::new(),
            renderings: Arc::default(),
        }
    }

    /// Waits for the turn of an upload; [`Refusal::Busy`] if too many wait already.
    pub async fn upload_turn(&self) -> Result<Turn, Refusal> {
        self.uploads.turn().await
    }

    /// Waits for the turn of a rendition; [`Refusal::Busy`] if too many wait already.
    pub async fn rendition_turn(&self) -> Result<Turn, Refusal> {
        self.renditions.turn().await
    }

    /// The rendering of a rendition: the one under way, else `render` in a task that goes on after every request has
    /// ended.
    pub fn once(
        &self,
        id: Uuid,
        key: &str,
        render: impl Future<Output = Result<Bytes, Error>> + Send + 'static,
    ) -> Rendering {
        let name = (id, key.to_owned());
        let mut renderings = self
            .renderings
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(under_way) = renderings.get(&name) {
            return under_way.clone();
        }
        let (all, finished) = (Arc::clone(&self.renderings), name.clone());
        let task = tokio::spawn(async move {
            let rendered = AssertUnwindSafe(render).catch_unwind().await;
            all.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .remove(&finished);
            rendered.unwrap_or_else(|_| Err(Error::Rendering("the task panicked".to_owned())))
        });
        let shared = async move {
            let ended = task.await;
            let rendered = ended.unwrap_or_else(|error| Err(Error::Rendering(error.to_string())));
            rendered.map_err(Arc::new)
        };
        let shared = shared.boxed().shared();
        renderings.insert(name, shared.clone());
        shared
    }

    /// Reads an upload and encodes it again, upright and without metadata.
    pub async fn reencode(&self, turn: Turn, bytes: Bytes) -> Result<Reencoded, Error> {
        // If the decoder panics, the picture can't be read.
        let work = work(turn, move || reencode(&bytes)).await;
        work.unwrap_or(Err(Refusal::Unreadable))
            .map_err(Error::from)
    }

    /// Renders a stored picture.
    pub async fn render(
        &self,
        turn: Turn,
        original: Bytes,
        rendition: Rendition,
    ) -> Result<Bytes, Error> {
        work(turn, move || render(&original, rendition))
            .await
            .unwrap_or_else(|| Err("the encoder panicked".to_owned()))
            .map_err(Error::Rendering)
    }
}

/// Does the work on a thread that may block. The turn ends with the work, even if the request has ended
/// before. `None` if it panicked.
async fn work<T: Send + 'static>(
    turn: Turn,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let task = tokio::task::spawn_blocking(move || {
        let done = work();
        drop(turn);
        done
    });
    task.await.ok()
}

/// The number of pixels in the picture's header; `None` if it can't be read.
#[cfg(any(test, fuzzing))]
pub fn pixels(bytes: &[u8]) -> Option<u64> {
    let head = image::ImageReader::new(std::io::Cursor::new(bytes));
    let (width, height) = head.with_guessed_format().ok()?.into_dimensions().ok()?;
    Some(u64::from(width) * u64::from(height))
}

pub fn render(original: &[u8], rendition: Rendition) -> Result<Bytes, String> {
    let (image, _) = decode::open(original).map_err(|error| error.to_string())?;
    encode::render(image, rendition)
}

pub fn reencode(bytes: &[u8]) -> Result<Reencoded, Refusal> {
    if decode::format(bytes)? == Format::Gif {
        return animation::reencode(bytes);
    }
    let (image, format) = decode::open(bytes)?;
    let lossless = decode::is_lossless(bytes);
    let encoded = encode::encode(&image, format, encode::Quality::Original { lossless });
    Ok(Reencoded {
        bytes: encoded.map_err(|_| Refusal::Unreadable)?,
        format,
        width: image.width(),
        height: image.height(),
    })
}
