use std::collections::BTreeSet;

use serde::Serialize;
use tiffin_events::Stream;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use crate::{
    Archive, ArchiveError, Hash, Message, Progress, Segment,
    index::Index,
    leftovers::leftovers,
    manifest::{check_chain, check_range, read_entry},
    message::hash_of,
    parquet_file::Row,
    segment::{entry_of, files_of, manifest_of, number_of},
};

/// The result of a verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Segments, messages and bytes of files that were read and are right.
    pub segments: u64,
    pub messages: u64,
    pub bytes: u64,
    /// The covered stream sequences; `None` if nothing is archived.
    pub first: Option<u64>,
    pub last: Option<u64>,
    /// The chain of the last entry. Kept elsewhere, it proves that the end of the manifest was not cut off.
    pub chain: Hash,
    /// Everything that is wrong, in order.
    pub findings: Vec<Finding>,
    /// Files without an entry, which do no harm.
    pub leftovers: Vec<String>,
    /// False if it was stopped before the end.
    pub is_complete: bool,
}

/// Something wrong in the archive, and its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The number of the segment.
    pub segment: u64,
    /// The path of the object in the archive.
    pub file: String,
    /// A sentence.
    pub problem: String,
}

impl Archive {
    /// Reads everything again: entries, chain, coverage, files, indexes, hashes, counts. It calls `progress` after
    /// each segment, and ends early once `stop` is cancelled. A store that does not answer is an error; all that is
    /// wrong with what it holds is a finding.
    pub async fn verify(
        &self,
        stream: Stream,
        mut progress: impl FnMut(Progress) + Send,
        stop: &CancellationToken,
    ) -> Result<Report, ArchiveError> {
        // Listed first: a file that gets its entry meanwhile is not taken for a leftover.
        let files = self.store().list(&files_of(stream), None).await?;
        let entries = self.store().list(&manifest_of(stream), None).await?;
        let numbers = entries
            .iter()
            .filter_map(|it| number_of(it.location.as_ref()));
        let numbers: BTreeSet<u64> = numbers.collect();
        let count = numbers.last().copied().unwrap_or_default();
        let mut verification = Verification::new(stream);
        let mut through = Progress {
            of: count,
            ..Progress::default()
        };
        for number in 1..=count {
            if stop.is_cancelled() {
                return Ok(verification.report);
            }
            if let Some(segment) = self.verify_entry(&mut verification, number).await? {
                self.verify_files(&mut verification, &segment).await?;
                verification.entered.push(segment);
            }
            through.segments = number;
            through.messages = verification.report.messages;
            progress(through);
        }
        let mut report = verification.report;
        report.leftovers = leftovers(files, &verification.entered);
        report.is_complete = true;
        Ok(report)
    }

    /// The segment of an entry that can be read.
    async fn verify_entry(
        &self,
        verification: &mut Verification,
        number: u64,
    ) -> Result<Option<Segment>, ArchiveError> {
        let stream = verification.stream;
        let file = entry_of(stream, number);
        let segment = match self.store().get(&file).await? {
            Some(entry) => read_entry(stream, number, &entry),
            None => Err(ArchiveError::NoEntry {
                stream,
                number,
                file,
            }),
        };
        let Some(segment) = verification.accept(segment)? else {
            verification.before = None;
            return Ok(None);
        };
        // An entry that can't be read leaves no chain to go on from.
        if let Some(before) = &verification.before {
            let (chain, range) = (
                check_chain(&segment, before.chain),
                check_range(&segment, before),
            );
            verification.accept(chain)?;
            verification.accept(range)?;
        } else if number == 1 {
            verification.accept(check_chain(&segment, Hash::START))?;
        }
        let report = &mut verification.report;
        report.first.get_or_insert(segment.first);
        (report.last, report.chain) = (Some(segment.last), segment.chain);
        verification.before = Some(segment.clone());
        Ok(Some(segment))
    }

    /// Compares file and index with the entry and with each other.
    async fn verify_files(
        &self,
        verification: &mut Verification,
        segment: &Segment,
    ) -> Result<(), ArchiveError> {
        let index = self.index(segment).await;
        let index = verification.accept(index)?;
        let file = self.file(segment).await;
        let Some(file) = verification.accept(file)? else {
            return Ok(());
        };
        let owned = segment.clone();
        let compared = spawn_blocking(move || {
            let messages = file.all_messages()?;
            compare(&owned, index.as_ref(), &messages)
        });
        if verification.accept(compared.await?)?.is_some() {
            let report = &mut verification.report;
            report.segments += 1;
            report.messages += segment.count;
            report.bytes += segment.bytes;
        }
        Ok(())
    }
}

/// A verification under way.
struct Verification {
    stream: Stream,
    /// The segment before, if its entry could be read.
    before: Option<Segment>,
    /// Those whose entries could be read.
    entered: Vec<Segment>,
    report: Report,
}

impl Verification {
    fn new(stream: Stream) -> Self {
        let report = Report {
            segments: 0,
            messages: 0,
            bytes: 0,
            first: None,
            last: None,
            chain: Hash::START,
            findings: Vec::new(),
            leftovers: Vec::new(),
            is_complete: false,
        };
        Self {
            stream,
            before: None,
            entered: Vec::new(),
            report,
        }
    }

    /// Notes what is wrong with the archive as a finding; other errors end the verification.
    fn accept<T>(&mut self, outcome: Result<T, ArchiveError>) -> Result<Option<T>, ArchiveError> {
        let error = match outcome {
            Ok(value) => return Ok(Some(value)),
            Err(error) => error,
        };
        let Some((segment, file)) = error.place() else {
            return Err(error);
        };
        let (file, problem) = (file.to_owned(), error.to_string());
        self.report.findings.push(Finding {
            segment,
            file,
            problem,
        });
        Ok(None)
    }
}

/// Fails unless the messages are what the entry and the index say.
fn compare(
    segment: &Segment,
    index: Option<&Index>,
    messages: &[Message],
) -> Result<(), ArchiveError> {
    let sequences = || messages.iter().map(|message| message.stream_sequence);
    let times = || messages.iter().map(|message| message.stored_at);
    let body_bytes: u64 = messages.iter().map(|it| it.body.len() as u64).sum();
    let is_inside = sequences().all(|sequence| segment.range().contains(&sequence));
    let is_ascending = sequences().is_sorted_by(|one, next| one < next);
    let span = (Some(segment.first_time), Some(segment.last_time));
    let checks = [
        (
            "the number of messages",
            messages.len() as u64 == segment.count,
        ),
        ("the size of the bodies", body_bytes == segment.body_bytes),
        ("the range of stream sequences", is_inside && is_ascending),
        ("the span of times", (times().min(), times().max()) == span),
        (
            "the hash over the messages",
            hash_of(messages) == segment.events_sha256,
        ),
        (
            "the index",
            index.is_none_or(|index| *index == Index::of(&Row::of(messages))),
        ),
    ];
    match checks.into_iter().find(|(_, holds)| !holds) {
        None => Ok(()),
        Some((what, _)) => Err(ArchiveError::Contradiction {
            stream: segment.stream,
            number: segment.number,
            file: segment.file.clone(),
            what,
        }),
    }
}
