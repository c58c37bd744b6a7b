//! Going through segments from the newest message to the oldest, until a page is full.

use parquet::errors::ParquetError;

use crate::{ArchiveError, Message, Page, file::CheckedFile, parquet_file::SegmentFile};

/// A page that is being filled.
#[derive(Debug)]
pub(crate) struct Newest {
    messages: Vec<Message>,
    limit: usize,
    /// The stream sequence below which messages are wanted.
    below: u64,
}

impl Newest {
    pub fn new(after: Option<u64>, limit: usize) -> Self {
        Self {
            messages: Vec::new(),
            limit: limit.max(1),
            below: after.unwrap_or(u64::MAX),
        }
    }

    pub fn below(&self) -> u64 {
        self.below
    }

    /// The number of messages that are still wanted.
    pub fn left(&self) -> usize {
        self.limit.saturating_sub(self.messages.len())
    }

    /// Adds messages of the next older segment, newest first.
    pub fn add(&mut self, found: Vec<Message>) {
        self.messages.extend(found);
    }

    /// The page once nothing older is left.
    pub fn last_page(self) -> Page {
        Page {
            messages: self.messages,
            next: None,
        }
    }

    /// The page where it is full.
    pub fn full_page(self) -> Page {
        let next = self.messages.last().map(|message| message.stream_sequence);
        Page {
            messages: self.messages,
            next,
        }
    }

    /// The page where it ends before the segment that begins at `first`.
    pub fn page_before(self, first: u64) -> Page {
        Page {
            messages: self.messages,
            next: Some(first),
        }
    }
}

/// The newest `limit` messages of a file, newest first, with a stream sequence below `below`, among those rows that
/// `choose` names of a row group. This takes time: call it where it may block.
pub(crate) fn newest_in(
    file: &CheckedFile,
    (below, limit): (u64, usize),
    choose: impl Fn(&SegmentFile, usize) -> Result<Vec<usize>, ParquetError>,
) -> Result<Vec<Message>, ArchiveError> {
    file.read(|file| {
        let mut found = Vec::new();
        for group in (0..file.groups()).rev() {
            if *file.range(group)?.start() >= below || found.len() >= limit {
                continue;
            }
            let mut rows = choose(file, group)?;
            if rows.is_empty() {
                continue;
            }
            let sequences = file.sequences(group)?;
            rows.retain(|row| sequences.get(*row).is_some_and(|it| *it < below));
            let surplus = rows.len().saturating_sub(limit - found.len());
            let mut messages = file.messages(group, rows.get(surplus..).unwrap_or_default())?;
            messages.reverse();
            found.extend(messages);
        }
        Ok(found)
    })
}
