use async_nats::HeaderMap;
use serde::{Deserialize, Serialize};
use tiffin_events::subject;
use time::OffsetDateTime;

use crate::{Broker, BrokerError, Consumer, received::Stored};

/// What a consumer could not handle, as stream DEADLETTERS keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeadLetter {
    pub consumer: String,
    pub reason: String,
    /// How often it was tried.
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
pub(crate) async fn put(
    broker: &Broker,
    consumer: &Consumer,
    message: &Stored,
    reason: &str,
) -> Result<(), BrokerError> {
    let letter = DeadLetter {
        consumer: consumer.name.clone(),
        reason: reason.to_owned(),
        attempts: message.attempts,
        time: consumer.clock().now(),
        stream: consumer.stream.name().to_owned(),
        stream_sequence: message.stream_sequence,
        subject: message.subject.clone(),
        body: String::from_utf8_lossy(&message.body).into_owned(),
    };
    let body = serde_json::to_vec(&letter).map_err(BrokerError::from)?;
    let mut headers = HeaderMap::new();
    headers.insert(
        "Nats-Msg-Id",
        format!(
            "{}-{}-{}",
            consumer.name, letter.stream, letter.stream_sequence
        ),
    );
    broker
        .jetstream
        .publish_with_headers(subject::dead(&consumer.name), headers, body.into())
        .await
        .map_err(BrokerError::from)?
        .await
        .map_err(BrokerError::from)?;
    Ok(())
}
