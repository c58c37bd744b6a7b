//! Decoding and drawing, off the async threads and a few at a time: a picture of 40 megapixels takes
//! some 300 MB and a second or two.

mod animation;
mod colour;
mod draw;
mod open;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{
    error::{Error, Refusal},
    picture::{Format, Rendition},
};

/// How many pictures are worked on at once.
const TABLES: usize = 2;

/// Where pictures are worked on. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Studio(Arc<Semaphore>);

/// A place in the studio.
#[derive(Debug)]
pub struct Turn {
    _permit: Option<OwnedSemaphorePermit>,
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
        Self(Arc::new(Semaphore::new(TABLES)))
    }

    /// Waits for a free place.
    pub async fn turn(&self) -> Turn {
        // It fails only for a semaphore that was closed, and nobody closes this one.
        Turn {
            _permit: self.0.clone().acquire_owned().await.ok(),
        }
    }

    /// Reads an upload and encodes it again, upright and without metadata.
    pub async fn develop(&self, turn: Turn, bytes: Bytes) -> Result<Developed, Error> {
        // A decoder that panics has met a picture that nobody can read.
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

/// Does the work on a thread that may block; the place is free again when it is done, even if nobody
/// waits for it any more. `None` where it panicked.
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

/// How many pixels the head of a picture promises; `None` where it can't be read.
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
