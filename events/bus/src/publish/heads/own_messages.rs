//! The messages that only one database can have published: those of a stream, and those that left it for the archive.

use std::{borrow::Cow, collections::BTreeMap};

use async_nats::{HeaderMap, jetstream::consumer::DeliverPolicy};
use tiffin_archive::Filter;
use tiffin_events::{CORRECTION_HEADER, IMPORT_HEADER, Stream};
use uuid::Uuid;

use crate::{Broker, BrokerError, broker::next_of};

/// Ids of messages by their stream sequences; `None` of a message without an id.
type Ids = BTreeMap<u64, Option<Uuid>>;

/// The messages from `first` to `last`, without imports and corrections, which no outbox contains.
pub(super) async fn read(
    broker: &Broker,
    stream: Stream,
    first: u64,
    last: u64,
) -> Result<Ids, BrokerError> {
    let mut found = held(broker, stream, first, last).await?;
    // Asked after the stream was read: what left it meanwhile is archived.
    let gone = broker.first_sequence(stream).await?.saturating_sub(1);
    let end = broker.archived_end(stream).await?.min(gone).min(last);
    if first <= end {
        found.extend(archived(broker, stream, first, end).await?);
    }
    Ok(found)
}

/// Those that the stream holds.
async fn held(broker: &Broker, stream: Stream, first: u64, last: u64) -> Result<Ids, BrokerError> {
    let from = DeliverPolicy::ByStartSequence {
        start_sequence: first,
    };
    let (mut left, mut messages) = broker.headers(stream.name(), from, String::new()).await?;
    let mut found = Ids::new();
    while left > 0 {
        let message = next_of(&mut messages).await?;
        let info = message.info()?;
        let sequence = info.stream_sequence;
        left = info.pending;
        if sequence > last {
            break;
        }
        let empty = HeaderMap::new();
        let headers = message.headers.as_ref().unwrap_or(&empty);
        let value = |name: &str| headers.get(name).map(|it| it.as_str().into());
        if !is_foreign(&value) {
            found.insert(sequence, id(&value));
        }
    }
    Ok(found)
}

/// Those that the archive has.
async fn archived(
    broker: &Broker,
    stream: Stream,
    first: u64,
    last: u64,
) -> Result<Ids, BrokerError> {
    let mut found = Ids::new();
    let Some(archive) = &broker.archive else {
        return Ok(found);
    };
    let mut reader = archive.read(stream, first..=last, Filter::all()).await?;
    loop {
        let messages = reader.next().await?;
        if messages.is_empty() {
            return Ok(found);
        }
        for message in &messages {
            let value = |name: &str| message.headers.get(name);
            if !is_foreign(&value) {
                found.insert(message.stream_sequence, id(&value));
            }
        }
    }
}

/// True for an import and a correction.
fn is_foreign<'a>(value: &impl Fn(&str) -> Option<Cow<'a, str>>) -> bool {
    [IMPORT_HEADER, CORRECTION_HEADER]
        .iter()
        .any(|header| value(header).is_some())
}

fn id<'a>(value: &impl Fn(&str) -> Option<Cow<'a, str>>) -> Option<Uuid> {
    value("Nats-Msg-Id")?.parse().ok()
}
