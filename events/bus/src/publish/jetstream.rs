//! Publishing rows of the outbox to JetStream: in one atomic batch a stream, or one by one where a batch was refused
//! because the stream has some of it already.

use async_nats::{HeaderMap, Request, jetstream::publish::PublishAck};
use bytes::Bytes;
use serde::Deserialize;
use tiffin_events::CORRECTION_HEADER;
use uuid::Uuid;

use crate::{Broker, BrokerError, broker::REQUEST_TIMEOUT};

/// One row to publish.
#[derive(Clone, Debug)]
pub(crate) struct OutboxRow {
    pub id: i64,
    pub event_id: Uuid,
    pub subject: String,
    pub body: Bytes,
    pub audience: Vec<Uuid>,
    /// True if it was published before, to a stream that was lost since.
    pub is_republished: bool,
    /// Seconds that the broker keeps it for.
    pub ttl_seconds: Option<i32>,
    /// The stream sequence that the last message of its subject must have, or the broker refuses.
    pub last_of_subject: Option<u64>,
}

/// A row as the outbox has it.
pub(crate) struct UnpublishedRow {
    pub id: i64,
    pub event_id: Uuid,
    pub subject: String,
    pub body: String,
    pub audience: Vec<Uuid>,
    pub keep_seconds: Option<i32>,
    pub again: bool,
}

impl From<UnpublishedRow> for OutboxRow {
    fn from(row: UnpublishedRow) -> Self {
        Self {
            id: row.id,
            event_id: row.event_id,
            subject: row.subject,
            body: row.body.into(),
            audience: row.audience,
            is_republished: row.again,
            ttl_seconds: row.keep_seconds,
            last_of_subject: None,
        }
    }
}

/// The conditions of all rows that are published together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Conditions {
    /// The last stream sequence that their stream must have, or the broker refuses.
    pub last: Option<u64>,
    /// True if they go to another service's stream.
    pub is_correction: bool,
}

/// The reason why rows were not published.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PublishError {
    #[error("{0}")]
    Broker(#[from] BrokerError),
    /// The stream goes on after the stream sequence that was to be its last.
    #[error("the stream goes on after the last message that the database knows")]
    StreamMoved,
}

/// JetStream's code for "atomic publish batch contains duplicate message id".
const BATCH_HAS_DUPLICATE: u64 = 10_201;
/// JetStream's code for "wrong last sequence".
const WRONG_LAST_SEQUENCE: u64 = 10_071;

#[derive(Deserialize)]
struct Refusal {
    error: RefusalError,
}

#[derive(Deserialize)]
struct RefusalError {
    err_code: u64,
    description: String,
}

enum Answer {
    Stored(PublishAck),
    Refused(RefusalError),
}

/// Publishes rows of one stream, in order. Returns each row's stream sequence. A batch is stored as a whole or
/// not at all. One by one, the rows before a failure are stored, and found again by their ids.
pub(crate) async fn publish(
    broker: &Broker,
    rows: &[OutboxRow],
    conditions: Conditions,
) -> Result<Vec<u64>, PublishError> {
    let (last, head) = match rows {
        [] => return Ok(Vec::new()),
        [only] => {
            return publish_one(broker, only, conditions)
                .await
                .map(|sequence| vec![sequence]);
        }
        [head @ .., last] => (last, head),
    };
    match publish_batch(broker, head, last, conditions).await? {
        Answer::Stored(ack) => {
            let before = head.len() as u64;
            Ok((ack.sequence - before..=ack.sequence).collect())
        }
        Answer::Refused(refusal) if refusal.err_code == BATCH_HAS_DUPLICATE => {
            let mut sequences = Vec::with_capacity(rows.len());
            // Some of them lie before that stream sequence.
            let conditions = Conditions {
                last: None,
                ..conditions
            };
            for row in rows {
                sequences.push(publish_one(broker, row, conditions).await?);
            }
            Ok(sequences)
        }
        Answer::Refused(refusal) => Err(refusal.into()),
    }
}

impl From<RefusalError> for PublishError {
    fn from(refusal: RefusalError) -> Self {
        if refusal.err_code == WRONG_LAST_SEQUENCE {
            Self::StreamMoved
        } else {
            Self::Broker(BrokerError::Refused(refusal.description))
        }
    }
}

async fn publish_one(
    broker: &Broker,
    row: &OutboxRow,
    conditions: Conditions,
) -> Result<u64, PublishError> {
    match request(broker, row, headers(row, conditions, true)).await? {
        Answer::Stored(ack) => Ok(ack.sequence),
        Answer::Refused(refusal) => Err(refusal.into()),
    }
}

/// An atomic batch (NATS 2.12 and later): nothing is visible until the last message commits it.
async fn publish_batch(
    broker: &Broker,
    head: &[OutboxRow],
    last: &OutboxRow,
    conditions: Conditions,
) -> Result<Answer, BrokerError> {
    let batch_id = last.event_id.to_string();
    let in_batch = |row: &OutboxRow, number: usize| {
        let mut headers = headers(row, conditions, number == 1);
        headers.insert("Nats-Batch-Id", batch_id.as_str());
        headers.insert("Nats-Batch-Sequence", number.to_string());
        headers
    };
    for (n, row) in head.iter().enumerate() {
        broker
            .client
            .publish_with_headers(row.subject.clone(), in_batch(row, n + 1), row.body.clone())
            .await?;
    }
    let mut commit = in_batch(last, head.len() + 1);
    commit.insert("Nats-Batch-Commit", "1");
    request(broker, last, commit).await
}

async fn request(
    broker: &Broker,
    row: &OutboxRow,
    headers: HeaderMap,
) -> Result<Answer, BrokerError> {
    let message = Request::new()
        .payload(row.body.clone())
        .headers(headers)
        .timeout(Some(REQUEST_TIMEOUT));
    let answer = broker
        .client
        .send_request(row.subject.clone(), message)
        .await?;
    if let Ok(refusal) = serde_json::from_slice::<Refusal>(&answer.payload) {
        return Ok(Answer::Refused(refusal.error));
    }
    Ok(Answer::Stored(serde_json::from_slice(&answer.payload)?))
}

fn headers(row: &OutboxRow, conditions: Conditions, is_first: bool) -> HeaderMap {
    let mut headers = HeaderMap::new();
    if let Some(last) = conditions.last.filter(|_| is_first) {
        headers.insert("Nats-Expected-Last-Sequence", last.to_string());
    }
    if let Some(last) = row.last_of_subject {
        headers.insert("Nats-Expected-Last-Subject-Sequence", last.to_string());
    }
    if conditions.is_correction {
        headers.insert(CORRECTION_HEADER, "1");
    }
    headers.insert("Nats-Msg-Id", row.event_id.to_string());
    if let Some(seconds) = row.ttl_seconds {
        headers.insert("Nats-TTL", format!("{seconds}s"));
    }
    headers
}
