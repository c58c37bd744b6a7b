//! Searches a stream for the events of an aggregate that a consumer has not handled.

use std::ops::Range;

use async_nats::jetstream::stream::RawMessageErrorKind;
use tiffin_archive::Query;
use tiffin_events::{RawEnvelope, Stream, subject};

use crate::{Broker, BrokerError, Received, consume::received::StoredMessage};

/// True if the stream or the archive holds an event of the aggregate between `reached` and this one. Only called
/// when events came out of order, so it may cost a few requests. The stream's leader answers: a replica
/// that lags would say "not there", and the missing event would be skipped.
pub(crate) async fn is_in_stream(
    broker: &Broker,
    stream: Stream,
    event: &Received,
    reached: Option<i64>,
) -> Result<bool, BrokerError> {
    let every = subject::every_of(event.aggregate(), event.envelope.subject);
    let handle = broker.jetstream.get_stream_no_info(stream.name()).await?;
    let missing = reached.unwrap_or_default() + 1..event.envelope.sequence;
    let mut from = 1;
    loop {
        let found = match handle
            .get_first_raw_message_by_subject(every.as_str(), from)
            .await
        {
            Ok(found) => found,
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => {
                return is_archived(broker, stream, event, missing).await;
            }
            Err(error) => return Err(error.into()),
        };
        let sequence =
            serde_json::from_slice::<RawEnvelope>(&found.payload).map(|envelope| envelope.sequence);
        if sequence.is_ok_and(|sequence| missing.contains(&sequence)) {
            return Ok(true);
        }
        from = found.sequence + 1;
    }
}

/// True if the archive holds one of these events of the aggregate.
async fn is_archived(
    broker: &Broker,
    stream: Stream,
    event: &Received,
    missing: Range<i64>,
) -> Result<bool, BrokerError> {
    let Some(archive) = broker.archive.as_ref().filter(|_| stream.is_archived()) else {
        return Ok(false);
    };
    let mut query = Query {
        aggregate: Some(event.envelope.subject),
        ..Query::default()
    };
    loop {
        let page = archive.search(stream, &query).await?;
        let mut sequences = page
            .messages
            .into_iter()
            .filter_map(|message| StoredMessage::from_archive(message).aggregate_and_sequence());
        if sequences.any(|(_, sequence)| missing.contains(&sequence)) {
            return Ok(true);
        }
        match page.next {
            Some(next) => query.after = Some(next),
            None => return Ok(false),
        }
    }
}
