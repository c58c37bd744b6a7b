//! A ZIP that goes to the store while it is written, so that no process holds all of it.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};

use tiffin_chassis::storage::{self, BufWriter};
use time::OffsetDateTime;
use tokio::io::AsyncWriteExt;
use zip::{
    CompressionMethod, DateTime, ZipWriter,
    result::ZipError,
    write::{SimpleFileOptions, StreamWriter},
};

/// The ZIP file of a copy.
pub(super) struct ZipFile {
    zip: ZipWriter<StreamWriter<Written>>,
    written: Written,
    upload: BufWriter,
    options: SimpleFileOptions,
    size: i64,
}

/// The bytes of the ZIP that are not in the store yet.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

/// The reason why the ZIP file can't be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum ZipFileError {
    #[error("the store of copies: {0}")]
    Store(#[from] storage::Error),
    #[error("the ZIP file: {0}")]
    Zip(#[from] ZipError),
    #[error("the ZIP file: {0}")]
    Io(#[from] io::Error),
}

impl ZipFile {
    pub fn new(upload: BufWriter, now: OffsetDateTime) -> Self {
        let written = Written::default();
        let options = SimpleFileOptions::default().last_modified_time(minutes_of(now));
        Self {
            zip: ZipWriter::new_stream(written.clone()),
            written,
            upload,
            options,
            size: 0,
        }
    }

    /// Begins a file of text, which is compressed.
    pub fn begin_text(&mut self, path: &str) -> Result<(), ZipFileError> {
        self.begin(path, CompressionMethod::Deflated)
    }

    /// Begins a file that is compressed already.
    pub fn begin_picture(&mut self, path: &str) -> Result<(), ZipFileError> {
        self.begin(path, CompressionMethod::Stored)
    }

    fn begin(&mut self, path: &str, method: CompressionMethod) -> Result<(), ZipFileError> {
        let options = self.options.compression_method(method);
        Ok(self.zip.start_file(path, options)?)
    }

    /// Appends to the file that was begun last.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), ZipFileError> {
        self.zip.write_all(bytes)?;
        self.send().await
    }

    /// Ends the ZIP file, and returns its size. It is in the store from then on.
    pub async fn finish(mut self) -> Result<i64, ZipFileError> {
        let written = std::mem::replace(&mut self.zip, ZipWriter::new_stream(Written::default()));
        written.finish()?;
        self.send().await?;
        self.upload.shutdown().await?;
        Ok(self.size)
    }

    /// Gives up; nothing of it stays in the store.
    pub async fn abort(mut self) {
        if let Err(error) = self.upload.abort().await {
            tracing::warn!(%error, "a part of a copy was not removed; it is removed with the copy");
        }
    }

    async fn send(&mut self) -> Result<(), ZipFileError> {
        let bytes = self.written.take();
        self.size += i64::try_from(bytes.len()).unwrap_or(i64::MAX);
        Ok(self.upload.put(bytes.into()).await?)
    }
}

impl Written {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A moment as ZIP files have it, in UTC.
fn minutes_of(now: OffsetDateTime) -> DateTime {
    let year = u16::try_from(now.year()).unwrap_or_default();
    let (month, day) = (now.month().into(), now.day());
    DateTime::from_date_and_time(year, month, day, now.hour(), now.minute(), 0).unwrap_or_default()
}
