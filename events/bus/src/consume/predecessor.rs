//! Searches a stream for the events of an aggregate that a consumer has not handled.

use async_nats::jetstream::stream::RawMessageErrorKind;
use tiffin_events::{RawEnvelope, Stream, subject};

use crate::{Broker, BrokerError, Received};

/// True if the stream still holds an event of the aggregate between `reached` and this one. Only called
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
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => return Ok(false),
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
