//! A folder with an archive, and made-up messages to fill it with.

use std::ops::RangeInclusive;

use bytes::Bytes;
use serde_json::json;
use tempfile::TempDir;
use tiffin_archive::{Archive, ArchiveError, Filter, Message, Report, Segment};
use tiffin_events::Stream;
use time::{Duration, OffsetDateTime, macros::datetime};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

pub const STREAM: Stream = Stream::Orders;
pub const BEGIN: OffsetDateTime = datetime!(2026-11-21 10:00 UTC);
pub const EVERYTHING: RangeInclusive<u64> = 1..=u64::MAX;

/// A folder that is deleted at the end.
pub struct Bench(TempDir);

impl Bench {
    pub fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// Segments of `size` messages each, as many as `count` messages fill.
    pub async fn filled(count: u64, size: u64) -> Self {
        let bench = Self::new();
        let archive = bench.archive();
        for first in (1..=count).step_by(usize::try_from(size).unwrap()) {
            let range = first..=count.min(first + size - 1);
            append(&archive, range).await.unwrap();
        }
        bench
    }

    /// An archive that has read nothing yet.
    pub fn archive(&self) -> Archive {
        Archive::folder(self.0.path().join("archive"))
    }

    pub fn path(&self) -> std::path::PathBuf {
        self.0.path().join("archive")
    }
}

/// Appends made-up messages.
pub async fn append(
    archive: &Archive,
    range: RangeInclusive<u64>,
) -> Result<Segment, ArchiveError> {
    archive
        .append(STREAM, range.clone(), &messages(range))
        .await
}

pub fn messages(range: RangeInclusive<u64>) -> Vec<Message> {
    range.map(message).collect()
}

/// Ids of orders and accounts.
pub fn id(kind: u64, number: u64) -> Uuid {
    Uuid::from_u64_pair(kind << 32 | 0x7000, number)
}

/// The order of a message: a hundred are under way at once.
pub fn order_of(sequence: u64) -> u64 {
    sequence / 500 * 100 + sequence * 7 % 100
}

pub const NAMES: [&str; 4] = ["placed", "confirmed", "dispatched", "delivered"];

/// The message at a stream sequence, always the same one. Every fortieth is no event.
pub fn message(sequence: u64) -> Message {
    let (order, number) = (
        id(1, order_of(sequence)),
        usize::try_from(sequence).unwrap(),
    );
    let at = BEGIN + Duration::seconds(i64::try_from(sequence).unwrap());
    let name = NAMES[number / 3 % NAMES.len()];
    let event = json!({
        "specversion": "1.0",
        "id": id(9, sequence),
        "source": "tiffin/order",
        "type": format!("tiffin.order.{name}.v1"),
        "subject": order,
        "time": format!("{}", at.format(&time::format_description::well_known::Rfc3339).unwrap()),
        "datacontenttype": "application/json",
        "sequence": 1 + sequence / 100,
        "actor": id(3, sequence % 23),
        "correlationid": order,
        "data": { "itemName": format!("Kottu no. {}", sequence % 13), "quantity": sequence % 4 },
    });
    let body = match sequence % 40 {
        0 => Bytes::from(vec![u8::try_from(sequence % 251).unwrap(), 0, 0xff]),
        _ => event.to_string().into(),
    };
    Message {
        stream_sequence: sequence,
        stored_at: at + Duration::nanoseconds(7),
        subject: format!("tiffin.order.{order}.{name}"),
        headers: [("Nats-Msg-Id".to_owned(), id(9, sequence).to_string())]
            .into_iter()
            .collect(),
        body,
    }
}

/// The messages that a reading gives out, and the error that ends it.
pub async fn read(
    archive: &Archive,
    range: RangeInclusive<u64>,
    filter: Filter,
) -> (Vec<Message>, Option<ArchiveError>) {
    let mut reader = match archive.read(STREAM, range, filter).await {
        Ok(reader) => reader,
        Err(error) => return (Vec::new(), Some(error)),
    };
    let mut all = Vec::new();
    loop {
        match reader.next().await {
            Ok(batch) if batch.is_empty() => return (all, None),
            Ok(batch) => all.extend(batch),
            Err(error) => {
                assert_eq!(reader.next().await.unwrap(), [], "after an error");
                return (all, Some(error));
            }
        }
    }
}

/// Every message.
pub async fn read_all(archive: &Archive) -> Vec<Message> {
    let (all, error) = read(archive, EVERYTHING, Filter::all()).await;
    assert!(error.is_none(), "{error:?}");
    all
}

pub async fn verify(archive: &Archive) -> Report {
    let stop = CancellationToken::new();
    archive.verify(STREAM, |_| {}, &stop).await.unwrap()
}

/// Verifies, and compares every message with what was to be written.
pub async fn assert_holds(archive: &Archive, last: u64) {
    let report = verify(archive).await;
    assert!(
        report.is_complete && report.findings.is_empty(),
        "{report:?}"
    );
    assert_eq!((report.messages, report.last), (last, Some(last)));
    assert!(
        read_all(archive).await == messages(1..=last),
        "up to {last}"
    );
}
