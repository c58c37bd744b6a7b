//! The files of a segment, fetched and compared with the manifest before anything is read from them.

use bytes::Bytes;
use parquet::errors::ParquetError;
use tokio::task::spawn_blocking;

use crate::{
    Archive, ArchiveError, Hash, Message, Segment, index::Index, parquet_file::SegmentFile,
};

/// A file whose hash is the manifest's.
pub(crate) struct CheckedFile {
    segment: Segment,
    file: SegmentFile,
}

impl Archive {
    /// The Parquet file of a segment.
    pub(crate) async fn file(&self, segment: &Segment) -> Result<CheckedFile, ArchiveError> {
        let (size, hash) = (segment.bytes, segment.sha256);
        let bytes = self.checked(segment, &segment.file, size, hash).await?;
        let file = SegmentFile::open(bytes).map_err(|error| undecodable(segment, &error))?;
        let segment = segment.clone();
        Ok(CheckedFile { segment, file })
    }

    /// The index of a segment.
    pub(crate) async fn index(&self, segment: &Segment) -> Result<Index, ArchiveError> {
        let bytes = self.index_bytes(segment).await?;
        Index::from_bytes(&bytes).ok_or_else(|| ArchiveError::Undecodable {
            stream: segment.stream,
            number: segment.number,
            file: segment.index_file(),
            reason: "it is no index".to_owned(),
        })
    }

    pub(crate) async fn index_bytes(&self, segment: &Segment) -> Result<Bytes, ArchiveError> {
        let (size, hash) = (segment.index_bytes, segment.index_sha256);
        self.checked(segment, &segment.index_file(), size, hash)
            .await
    }

    /// An object that has the size and the hash that its entry says.
    async fn checked(
        &self,
        segment: &Segment,
        path: &str,
        expected: u64,
        hash: Hash,
    ) -> Result<Bytes, ArchiveError> {
        let (stream, number, file) = (segment.stream, segment.number, path.to_owned());
        let Some(bytes) = self.store().get(path).await? else {
            return Err(ArchiveError::Missing {
                stream,
                number,
                file,
            });
        };
        let size = bytes.len() as u64;
        if size != expected {
            return Err(ArchiveError::WrongSize {
                stream,
                number,
                file,
                expected,
                found: size,
            });
        }
        let hashed = bytes.clone();
        let found = spawn_blocking(move || Hash::of(&hashed)).await?;
        if found != hash {
            return Err(ArchiveError::Altered {
                stream,
                number,
                file,
                expected: hash,
                found,
            });
        }
        Ok(bytes)
    }
}

impl CheckedFile {
    /// Reads from the file. This takes time: call it where it may block.
    pub fn read<T>(
        &self,
        read: impl FnOnce(&SegmentFile) -> Result<T, ParquetError>,
    ) -> Result<T, ArchiveError> {
        read(&self.file).map_err(|error| undecodable(&self.segment, &error))
    }

    /// Every message of the file.
    pub fn all_messages(&self) -> Result<Vec<Message>, ArchiveError> {
        self.read(|file| {
            let mut all = Vec::new();
            for group in 0..file.groups() {
                let rows: Vec<usize> = (0..file.rows(group)).collect();
                all.extend(file.messages(group, &rows)?);
            }
            Ok(all)
        })
    }
}

fn undecodable(segment: &Segment, error: &ParquetError) -> ArchiveError {
    ArchiveError::Undecodable {
        stream: segment.stream,
        number: segment.number,
        file: segment.file.clone(),
        reason: error.to_string(),
    }
}
