use async_nats::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tiffin_events::{Envelope, Stream, subject};
use time::OffsetDateTime;

use crate::{
    Broker, BrokerError,
    consume::{
        received::StoredMessage,
        stream_reader::{self, BATCH, StreamReader},
    },
};

/// An event that a consumer could not handle, as the stream DEADLETTERS keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeadLetter {
    pub consumer: String,
    pub reason: String,
    /// The number of attempts.
    pub attempts: i64,
    #[serde(with = "time::serde::rfc3339")]
    pub time: OffsetDateTime,
    pub stream: String,
    pub stream_sequence: u64,
    pub subject: String,
    /// The original body, as text; what is not UTF-8 is replaced.
    pub body: String,
}

/// Stores a dead letter; the same message of the same consumer is stored once.
pub(crate) async fn store(
    broker: &Broker,
    (consumer, stream): (&str, Stream),
    time: OffsetDateTime,
    message: &StoredMessage,
    reason: &str,
) -> Result<(), BrokerError> {
    let letter = DeadLetter {
        consumer: consumer.to_owned(),
        reason: reason.to_owned(),
        attempts: message.attempts,
        time,
        stream: stream.name().to_owned(),
        stream_sequence: message.stream_sequence,
        subject: message.subject.to_string(),
        body: String::from_utf8_lossy(&message.body).into_owned(),
    };
    publish(broker, &letter, "").await
}

/// Removes the payload from the dead letters for which `is_affected` is true. The event's metadata and the reason stay.
pub(crate) async fn erase_payloads(
    broker: &Broker,
    is_affected: impl Fn(&DeadLetter) -> bool,
) -> Result<(), BrokerError> {
    let handle = broker
        .jetstream
        .get_stream_no_info(Stream::DeadLetters.name())
        .await?;
    let last = stream_reader::last(broker, Stream::DeadLetters).await?;
    let subjects = Stream::DeadLetters.subjects();
    let subjects: Vec<String> = subjects.iter().map(ToString::to_string).collect();
    let mut reader =
        StreamReader::open(broker, Stream::DeadLetters, &subjects, (1, last), BATCH).await?;
    loop {
        let batch = reader.next(BATCH).await?;
        if batch.is_empty() {
            return Ok(());
        }
        for stored in batch {
            let Ok(mut letter) = serde_json::from_slice::<DeadLetter>(&stored.body) else {
                continue;
            };
            let body = without_data(&letter.body);
            if letter.body == body || !is_affected(&letter) {
                continue;
            }
            letter.body = body;
            publish(broker, &letter, "-blank").await?;
            // This overwrites it on the broker's disk.
            handle.delete_message(stored.stream_sequence).await?;
        }
    }
}

/// The event without its payload; empty for a body that is no event.
fn without_data(body: &str) -> String {
    serde_json::from_str::<Envelope>(body)
        .and_then(|envelope| {
            serde_json::to_string(&Envelope {
                data: Value::Null,
                ..envelope
            })
        })
        .unwrap_or_default()
}

/// Publishes a dead letter. The broker stores one of each id, which ends with `suffix`.
async fn publish(broker: &Broker, letter: &DeadLetter, suffix: &str) -> Result<(), BrokerError> {
    let body = serde_json::to_vec(letter)?;
    let mut headers = HeaderMap::new();
    let (consumer, stream, sequence) = (&letter.consumer, &letter.stream, letter.stream_sequence);
    headers.insert(
        "Nats-Msg-Id",
        format!("{consumer}-{stream}-{sequence}{suffix}"),
    );
    broker
        .jetstream
        .publish_with_headers(subject::dead(consumer), headers, body.into())
        .await?
        .await?;
    Ok(())
}
