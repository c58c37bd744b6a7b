//! Decoding and drawing, off the async threads and a few at a time: a picture of 40 megapixels takes
//! some 300 MB and a second or two.

mod animation;
mod colour;
mod draw;
mod open;
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
const QUEUE: usize = 16;

/// The processing of pictures. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Studio {
    uploads: Desk,
    renditions: Desk,
    /// Renditions that are being drawn, by picture and key.
    drawing: Arc<Mutex<HashMap<(Uuid, String), Drawing>>>,
}

/// A rendition under way, for every request that waits for it.
pub type Drawing = Shared<BoxFuture<'static, Result<Bytes, Arc<Error>>>>;

#[derive(Clone, Debug)]
struct Desk {
    queue: Arc<Semaphore>,
    table: Arc<Semaphore>,
}

impl Desk {
    fn new() -> Self {
        Self {
            queue: Arc::new(Semaphore::new(QUEUE)),
            table: Arc::new(Semaphore::new(1)),
        }
    }

    async fn turn(&self) -> Result<Turn, Refusal> {
        let place = Arc::clone(&self.queue).try_acquire_owned();
        let place = place.map_err(|_| Refusal::Busy)?;
        let table = Arc::clone(&self.table).acquire_owned().await;
        Ok(Turn {
            _place: place,
            _table: table.map_err(|_| Refusal::Busy)?,
        })
    }
}

/// A place in the studio.
#[derive(Debug)]
pub struct Turn {
    _place: OwnedSemaphorePermit,
    _table: OwnedSemaphorePermit,
}

/// An upload as it will be kept.
#[derive(Debug)]
pub struct Developed {
    pub bytes: Bytes,
    pub format: Format,
    /// Pixels.
    pub width: u32,
    pub height: u32,
}

impl Studio {
    pub fn new() -> Self {
        Self {
            uploads: Desk::new(),
            renditions: Desk::new(),
            drawing: Arc::default(),
        }
    }

    /// Waits for the table of uploads; [`Refusal::Busy`] where too many wait already.
    pub async fn table(&self) -> Result<Turn, Refusal> {
        self.uploads.turn().await
    }

    /// Waits for the table of renditions; [`Refusal::Busy`] where too many wait already.
    pub async fn easel(&self) -> Result<Turn, Refusal> {
        self.renditions.turn().await
    }

    /// The drawing of a rendition: the one under way, else `draw` in a task that ends its work even
    /// where every request has left.
    pub fn once(
        &self,
        id: Uuid,
        key: &str,
        draw: impl Future<Output = Result<Bytes, Error>> + Send + 'static,
    ) -> Drawing {
        let name = (id, key.to_owned());
        let mut drawing = self.drawing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(under_way) = drawing.get(&name) {
            return under_way.clone();
        }
        let (all, own) = (Arc::clone(&self.drawing), name.clone());
        let task = tokio::spawn(async move {
            let drawn = AssertUnwindSafe(draw).catch_unwind().await;
            all.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .remove(&own);
            drawn.unwrap_or_else(|_| Err(Error::Drawing("the task panicked".to_owned())))
        });
        let shared = async move {
            let ended = task.await;
            let drawn = ended.unwrap_or_else(|error| Err(Error::Drawing(error.to_string())));
            drawn.map_err(Arc::new)
        };
        let shared = shared.boxed().shared();
        drawing.insert(name, shared.clone());
        shared
    }

    /// Reads an upload and encodes it again, upright and without metadata.
    pub async fn develop(&self, turn: Turn, bytes: Bytes) -> Result<Developed, Error> {
        // If the decoder panics, the picture can't be read.
        let work = work(turn, move || develop(&bytes)).await;
        work.unwrap_or(Err(Refusal::Unreadable))
            .map_err(Error::from)
    }

    /// Draws a rendition of a picture that is kept.
    pub async fn draw(
        &self,
        turn: Turn,
        whole: Bytes,
        rendition: Rendition,
    ) -> Result<Bytes, Error> {
        work(turn, move || redraw(&whole, rendition))
            .await
            .unwrap_or_else(|| Err("the encoder panicked".to_owned()))
            .map_err(Error::Drawing)
    }
}

/// Does the work on a thread that may block. The place is free again when it is done, even if the request
/// has ended. `None` if it panicked.
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

pub fn redraw(whole: &[u8], rendition: Rendition) -> Result<Bytes, String> {
    let (image, _) = open::open(whole).map_err(|error| error.to_string())?;
    draw::draw(image, rendition)
}

pub fn develop(bytes: &[u8]) -> Result<Developed, Refusal> {
    if open::format(bytes)? == Format::Gif {
        return animation::develop(bytes);
    }
    let (image, format) = open::open(bytes)?;
    let lossless = open::is_lossless(bytes);
    let kept = draw::encode(&image, format, draw::Quality::Kept { lossless });
    Ok(Developed {
        bytes: kept.map_err(|_| Refusal::Unreadable)?,
        format,
        width: image.width(),
        height: image.height(),
    })
}
