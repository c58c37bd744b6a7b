//! The manifest of a stream: which segments there are.

use std::sync::{Arc, PoisonError};

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use tiffin_events::Stream;

use crate::{
    Archive, ArchiveError, Hash, Segment,
    segment::{entry_of, manifest_of, number_of},
};

/// Entries that are fetched at once.
const AT_ONCE: usize = 16;

/// The segments up to the first entry that is wrong, and the reason why it is.
#[derive(Debug)]
pub(crate) struct Manifest {
    pub segments: Arc<Vec<Segment>>,
    pub problem: Option<ArchiveError>,
}

impl Manifest {
    /// The segments, if all entries are right.
    pub fn whole(self) -> Result<Arc<Vec<Segment>>, ArchiveError> {
        match self.problem {
            Some(problem) => Err(problem),
            None => Ok(self.segments),
        }
    }
}

impl Archive {
    /// The segments of a stream in order. Entries that were read before are not read again.
    pub async fn segments(&self, stream: Stream) -> Result<Vec<Segment>, ArchiveError> {
        let segments = self.manifest(stream).await?.whole()?;
        Ok(Arc::unwrap_or_clone(segments))
    }

    /// The last stream sequence that is archived; `None` if nothing is.
    pub async fn end(&self, stream: Stream) -> Result<Option<u64>, ArchiveError> {
        let segments = self.manifest(stream).await?.whole()?;
        Ok(segments.last().map(|segment| segment.last))
    }

    pub(crate) async fn manifest(&self, stream: Stream) -> Result<Manifest, ArchiveError> {
        let mut segments = self.known(stream);
        let newest = segments.last().map(Segment::entry);
        let folder = manifest_of(stream);
        let listed = self.store().list(&folder, newest.as_deref()).await?;
        let numbers = listed
            .iter()
            .filter_map(|it| number_of(it.location.as_ref()));
        let numbers: Vec<u64> = numbers.collect();
        let mut entries = stream::iter(numbers)
            .map(|number| {
                let archive = self.clone();
                async move {
                    let entry = archive.store().get(&entry_of(stream, number)).await;
                    (number, entry)
                }
            })
            .buffered(AT_ONCE);
        let mut problem = None;
        while let Some((number, entry)) = entries.next().await {
            match follow(stream, number, entry?, segments.last()) {
                Ok(segment) => Arc::make_mut(&mut segments).push(segment),
                Err(error) => {
                    problem = Some(error);
                    break;
                }
            }
        }
        self.remember(stream, &segments);
        Ok(Manifest { segments, problem })
    }

    /// The segments whose entries were read before.
    pub(crate) fn known(&self, stream: Stream) -> Arc<Vec<Segment>> {
        let known = self.0.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&stream).cloned().unwrap_or_default()
    }

    fn remember(&self, stream: Stream, segments: &Arc<Vec<Segment>>) {
        let mut known = self.0.known.lock().unwrap_or_else(PoisonError::into_inner);
        let there = known.entry(stream).or_default();
        if there.len() < segments.len() {
            *there = segments.clone();
        }
    }
}

/// The segment of an entry that follows the one before it.
fn follow(
    stream: Stream,
    number: u64,
    entry: Option<Bytes>,
    before: Option<&Segment>,
) -> Result<Segment, ArchiveError> {
    let expected = before.map_or(1, |before| before.number + 1);
    let file = entry_of(stream, expected);
    let Some(entry) = entry.filter(|_| number == expected) else {
        return Err(ArchiveError::NoEntry {
            stream,
            number: expected,
            file,
        });
    };
    let segment = read_entry(stream, number, &entry)?;
    check_chain(&segment, before.map_or(Hash::START, |before| before.chain))?;
    if let Some(before) = before {
        check_range(&segment, before)?;
    }
    Ok(segment)
}

/// Reads an entry, which says the stream and the number that its path says.
pub(crate) fn read_entry(
    stream: Stream,
    number: u64,
    entry: &[u8],
) -> Result<Segment, ArchiveError> {
    let segment = Segment::from_json(entry);
    let fits = |it: &Segment| it.stream == stream && it.number == number && it.first <= it.last;
    segment.filter(fits).ok_or_else(|| ArchiveError::BadEntry {
        stream,
        number,
        file: entry_of(stream, number),
    })
}

/// Fails unless the entry's chain follows from the one before.
pub(crate) fn check_chain(segment: &Segment, before: Hash) -> Result<(), ArchiveError> {
    if segment.chain_after(before)? == segment.chain {
        return Ok(());
    }
    Err(ArchiveError::BrokenChain {
        stream: segment.stream,
        number: segment.number,
        file: segment.entry(),
    })
}

/// Fails unless the segment covers what comes right after the one before.
pub(crate) fn check_range(segment: &Segment, before: &Segment) -> Result<(), ArchiveError> {
    if before.last.checked_add(1) == Some(segment.first) {
        return Ok(());
    }
    Err(ArchiveError::Contradiction {
        stream: segment.stream,
        number: segment.number,
        file: segment.entry(),
        what: "its first stream sequence",
    })
}
