//! Publishing rows of the outbox to JetStream: as one atomic batch a stream where there are several,
//! one by one where a batch was refused because some of it is there already.

use async_nats::{HeaderMap, Request, jetstream::publish::PublishAck};
use bytes::Bytes;
use serde::Deserialize;
use tiffin_events::CORRECTION_HEADER;
use uuid::Uuid;

use crate::{Broker, BrokerError, broker::REQUEST_TIMEOUT};

/// One row to publish.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub id: i64,
    pub event_id: Uuid,
    pub subject: String,
    pub body: Bytes,
    pub audience: Vec<Uuid>,
    /// True if it was published before, to a stream that was lost since.
    pub again: bool,
    /// Seconds that the broker keeps it for.
    pub keep: Option<i32>,
    /// The stream sequence that the last message of its subject must have, or the broker refuses.
    pub after: Option<u64>,
}

/// A row as the outbox has it.
pub(crate) struct Unsent {
    pub id: i64,
    pub event_id: Uuid,
    pub subject: String,
    pub body: String,
    pub audience: Vec<Uuid>,
    pub keep_seconds: Option<i32>,
    pub again: bool,
}

impl From<Unsent> for Row {
    fn from(unsent: Unsent) -> Self {
        Self {
            id: unsent.id,
            event_id: unsent.event_id,
            subject: unsent.subject,
            body: unsent.body.into(),
            audience: unsent.audience,
            again: unsent.again,
            keep: unsent.keep_seconds,
            after: None,
        }
    }
}

/// The conditions of all rows that are published together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Terms {
    /// The last stream sequence that their stream must have, or the broker refuses.
    pub last: Option<u64>,
    /// They are put into another service's stream.
    pub is_guest: bool,
}

/// The reason why rows were not published.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unpublished {
    #[error("{0}")]
    Broker(#[from] BrokerError),
    /// Something lies in the stream after the stream sequence that was said to be its last.
    #[error("the stream goes on after the last message that the database knows")]
    Moved,
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

/// Publishes rows of one stream, in order; the answer is each row's stream sequence. All or nothing
/// with a batch; one by one, the rows before a failure are stored and are found again by their id.
pub(crate) async fn rows(
    broker: &Broker,
    rows: &[Row],
    terms: Terms,
) -> Result<Vec<u64>, Unpublished> {
    let (last, head) = match rows {
        [] => return Ok(Vec::new()),
        [only] => {
            return one(broker, only, terms)
                .await
                .map(|sequence| vec![sequence]);
        }
        [head @ .., last] => (last, head),
    };
    match batch(broker, head, last, terms).await? {
        Answer::Stored(ack) => {
            let before = head.len() as u64;
            Ok((ack.sequence - before..=ack.sequence).collect())
        }
        Answer::Refused(refusal) if refusal.err_code == BATCH_HAS_DUPLICATE => {
            let mut sequences = Vec::with_capacity(rows.len());
            // Some of them lie before that stream sequence.
            let terms = Terms {
                last: None,
                ..terms
            };
            for row in rows {
                sequences.push(one(broker, row, terms).await?);
            }
            Ok(sequences)
        }
        Answer::Refused(refusal) => Err(refusal.into()),
    }
}

impl From<RefusalError> for Unpublished {
    fn from(refusal: RefusalError) -> Self {
        if refusal.err_code == WRONG_LAST_SEQUENCE {
            Self::Moved
        } else {
            Self::Broker(BrokerError::Refused(refusal.description))
        }
    }
}

async fn one(broker: &Broker, row: &Row, terms: Terms) -> Result<u64, Unpublished> {
    match ask(broker, row, headers(row, terms, true)).await? {
        Answer::Stored(ack) => Ok(ack.sequence),
        Answer::Refused(refusal) => Err(refusal.into()),
    }
}

/// An atomic batch (NATS 2.12 and later): nothing is visible until the last message commits it.
async fn batch(
    broker: &Broker,
    head: &[Row],
    last: &Row,
    terms: Terms,
) -> Result<Answer, BrokerError> {
    let batch_id = last.event_id.to_string();
    let in_batch = |row: &Row, number: usize| {
        let mut headers = headers(row, terms, number == 1);
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
    ask(broker, last, commit).await
}

async fn ask(broker: &Broker, row: &Row, headers: HeaderMap) -> Result<Answer, BrokerError> {
    let request = Request::new()
        .payload(row.body.clone())
        .headers(headers)
        .timeout(Some(REQUEST_TIMEOUT));
    let answer = broker
        .client
        .send_request(row.subject.clone(), request)
        .await?;
    if let Ok(refusal) = serde_json::from_slice::<Refusal>(&answer.payload) {
        return Ok(Answer::Refused(refusal.error));
    }
    Ok(Answer::Stored(serde_json::from_slice(&answer.payload)?))
}

fn headers(row: &Row, terms: Terms, is_first: bool) -> HeaderMap {
    let mut headers = HeaderMap::new();
    if let Some(last) = terms.last.filter(|_| is_first) {
        headers.insert("Nats-Expected-Last-Sequence", last.to_string());
    }
    if let Some(after) = row.after {
        headers.insert("Nats-Expected-Last-Subject-Sequence", after.to_string());
    }
    if terms.is_guest {
        headers.insert(CORRECTION_HEADER, "1");
    }
    headers.insert("Nats-Msg-Id", row.event_id.to_string());
    if let Some(seconds) = row.keep {
        headers.insert("Nats-TTL", format!("{seconds}s"));
    }
    headers
}
