use std::{ops::RangeInclusive, time::Duration};

use aws_lc_rs::rand;
use bytes::Bytes;
use tiffin_events::Stream;
use time::OffsetDateTime;
use tokio::{task::spawn_blocking, time::Instant};

use crate::{
    Archive, ArchiveError, Hash, Message, Segment,
    index::Index,
    message::hash_of,
    parquet_file::{Row, encode},
    segment::files_of,
};

/// The time after which an entry is no longer created for files that were written: well before they count as
/// leftovers and are deleted.
const LIMIT: Duration = Duration::from_mins(30);

/// A segment as it is to be written.
struct Draft {
    segment: Segment,
    entry: Bytes,
    file: Bytes,
    index: Bytes,
}

impl Archive {
    /// Writes messages as the next segment, and returns once file, index and manifest entry are in the store and
    /// were read back. `covered` is the range of stream sequences that the messages are all of: it begins right
    /// after the archive's [`end`](Archive::end), or anywhere in an empty archive. Messages are in order and
    /// within it; sequences without a message are gone from the stream.
    ///
    /// After an error, ask for the end before another try: after [`ArchiveError::Overtaken`] another archiver's
    /// segment is there, and where the store's answer was lost, this one may be. Files without an entry are
    /// leftovers.
    pub async fn append(
        &self,
        stream: Stream,
        covered: RangeInclusive<u64>,
        messages: &[Message],
    ) -> Result<Segment, ArchiveError> {
        let segments = self.manifest(stream).await?.whole()?;
        check(stream, &covered, messages, segments.last())?;
        let (before, messages) = (segments.last().cloned(), messages.to_vec());
        let drafted = spawn_blocking(move || {
            let draft = draft(stream, &covered, &messages, before.as_ref());
            (draft, messages)
        });
        let (draft, messages) = drafted.await?;
        let draft = draft?;
        let began = Instant::now();
        let (file, index) = (draft.file.clone(), draft.index.clone());
        self.store().create(&draft.segment.file, file).await?;
        self.store()
            .create(&draft.segment.index_file(), index)
            .await?;
        self.compare(&draft, messages).await?;
        if began.elapsed() > LIMIT {
            let Segment { number, file, .. } = draft.segment;
            return Err(ArchiveError::Late {
                stream,
                number,
                file,
            });
        }
        self.enter(draft).await
    }

    /// Reads file and index back and compares them with what was to be written.
    async fn compare(&self, draft: &Draft, messages: Vec<Message>) -> Result<(), ArchiveError> {
        let segment = draft.segment.clone();
        let index = self.index_bytes(&segment).await?;
        let file = self.file(&segment).await?;
        let decoded = spawn_blocking(move || file.all_messages().map(|all| all == messages));
        let differs = if index != draft.index {
            "the index"
        } else if !decoded.await?? {
            "a message"
        } else {
            return Ok(());
        };
        Err(not_as_written(segment, differs))
    }

    /// Creates the entry, unless there is another one.
    async fn enter(&self, draft: Draft) -> Result<Segment, ArchiveError> {
        let Draft { segment, entry, .. } = draft;
        let path = segment.entry();
        let created = self.store().create(&path, entry.clone()).await?;
        let there = self.store().get(&path).await?;
        // A client that repeated the request, because the answer was lost, finds its own entry.
        match there {
            Some(there) if there == entry => Ok(segment),
            _ if created => Err(not_as_written(segment, "the entry")),
            _ => Err(ArchiveError::Overtaken {
                stream: segment.stream,
                number: segment.number,
            }),
        }
    }
}

/// Fails unless the messages are in order, within the range, and follow what is archived.
fn check(
    stream: Stream,
    covered: &RangeInclusive<u64>,
    messages: &[Message],
    before: Option<&Segment>,
) -> Result<(), ArchiveError> {
    let (first, last) = (*covered.start(), *covered.end());
    if messages.is_empty() {
        return Err(ArchiveError::Empty { stream });
    }
    if before.is_some_and(|before| before.last.checked_add(1) != Some(first)) {
        let end = before.map_or(0, |before| before.last);
        return Err(ArchiveError::NotNext {
            stream,
            end,
            first,
            last,
        });
    }
    let mut next = first;
    for message in messages {
        let sequence = message.stream_sequence;
        if sequence < next || sequence > last {
            return Err(ArchiveError::Disorder { stream, sequence });
        }
        next = sequence.saturating_add(1);
        let reason = if i64::try_from(sequence).is_err() {
            "its sequence is too large"
        } else if i64::try_from(message.stored_at.unix_timestamp_nanos()).is_err() {
            "its time is not between the years 1678 and 2262"
        } else {
            continue;
        };
        return Err(ArchiveError::Unwritable {
            stream,
            sequence,
            reason,
        });
    }
    Ok(())
}

fn draft(
    stream: Stream,
    covered: &RangeInclusive<u64>,
    messages: &[Message],
    before: Option<&Segment>,
) -> Result<Draft, ArchiveError> {
    let rows = Row::of(messages);
    let file = encode(stream, &rows).map_err(|source| ArchiveError::Encoding { stream, source })?;
    let (file, index) = (Bytes::from(file), Index::of(&rows).to_bytes());
    let times = || messages.iter().map(|message| message.stored_at);
    let number = before.map_or(1, |before| before.number + 1);
    let mut segment = Segment {
        stream,
        number,
        file: file_name(stream, number),
        first: *covered.start(),
        last: *covered.end(),
        first_time: times().min().unwrap_or(OffsetDateTime::UNIX_EPOCH),
        last_time: times().max().unwrap_or(OffsetDateTime::UNIX_EPOCH),
        count: messages.len() as u64,
        body_bytes: messages.iter().map(|it| it.body.len() as u64).sum(),
        bytes: file.len() as u64,
        events_sha256: hash_of(messages),
        sha256: Hash::of(&file),
        index_bytes: index.len() as u64,
        index_sha256: Hash::of(&index),
        chain: Hash::START,
    };
    segment.chain = segment.chain_after(before.map_or(Hash::START, |before| before.chain))?;
    let entry = segment.to_json()?.into();
    Ok(Draft {
        segment,
        entry,
        file,
        index,
    })
}

/// A path that no other writer takes.
fn file_name(stream: Stream, number: u64) -> String {
    let mut own = [0; 8];
    // Without randomness the name may come twice; then the second file is not created, and reading back fails.
    let _ = rand::fill(&mut own);
    let own = u64::from_be_bytes(own);
    format!("{}/{number:020}-{own:016x}.parquet", files_of(stream))
}

fn not_as_written(segment: Segment, what: &'static str) -> ArchiveError {
    ArchiveError::NotAsWritten {
        stream: segment.stream,
        number: segment.number,
        file: segment.file,
        what,
    }
}
