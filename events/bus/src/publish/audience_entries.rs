//! Entries of the audience bucket. An older one never replaces a newer one: a relay that was cut off from the broker
//! may come back with entries that another relay has replaced since.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use async_nats::{
    HeaderMap, StatusCode,
    header::{NATS_SEQUENCE, NATS_SUBJECT},
};
use futures_util::StreamExt;
use serde::Deserialize;
use serde_json::json;
use tiffin_events::rights::AUDIENCE_STREAM;

use crate::{Broker, BrokerError, publish::jetstream::OutboxRow};

/// The time-out of the broker's answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);

/// An entry as the bucket has it.
#[derive(Clone, Copy, Debug)]
struct BucketEntry {
    stream_sequence: u64,
    version: i64,
}

/// Entries that are to be published, and older ones.
#[derive(Debug, Default)]
pub(crate) struct Sorted {
    /// To be published, each where the one that it replaces is still the last.
    pub newer: Vec<OutboxRow>,
    /// Older than what the bucket has, with the stream sequence of that.
    pub older: Vec<(OutboxRow, u64)>,
}

/// Compares entries with those that the bucket has.
pub(crate) async fn sort(broker: &Broker, rows: &[OutboxRow]) -> Result<Sorted, BrokerError> {
    let entries = bucket_entries(broker, rows).await?;
    let mut sorted = Sorted::default();
    let mut seen = HashSet::new();
    for row in rows {
        let there = entries.get(&row.subject);
        match there {
            Some(there) if there.version > version(&row.body) => {
                sorted.older.push((row.clone(), there.stream_sequence));
            }
            _ => {
                // Later entries of the same batch follow the first in its order.
                let is_first = seen.insert(row.subject.as_str());
                let last_of_subject =
                    is_first.then(|| there.map_or(0, |there| there.stream_sequence));
                sorted.newer.push(OutboxRow {
                    last_of_subject,
                    ..row.clone()
                });
            }
        }
    }
    Ok(sorted)
}

/// The bucket's entries of these rows' keys.
async fn bucket_entries(
    broker: &Broker,
    rows: &[OutboxRow],
) -> Result<HashMap<String, BucketEntry>, BrokerError> {
    let subjects: HashSet<&str> = rows.iter().map(|row| row.subject.as_str()).collect();
    let inbox = broker.client.new_inbox();
    let mut answers = broker.client.subscribe(inbox.clone()).await?;
    let wanted = json!({ "multi_last": subjects, "batch": subjects.len() });
    let asked = format!("$JS.API.DIRECT.GET.{AUDIENCE_STREAM}");
    broker
        .client
        .publish_with_reply(asked, inbox, wanted.to_string().into())
        .await?;
    let mut entries = HashMap::new();
    loop {
        let answer = tokio::time::timeout(ANSWER_TIMEOUT, answers.next())
            .await
            .map_err(|_| BrokerError::Silent)?
            .ok_or(BrokerError::Ended("the connection"))?;
        match answer.status {
            None => {
                let headers = answer.headers.unwrap_or_default();
                if let Some((subject, stream_sequence)) = subject_and_sequence(&headers) {
                    let version = version(&answer.payload);
                    entries.insert(
                        subject,
                        BucketEntry {
                            stream_sequence,
                            version,
                        },
                    );
                }
            }
            // The end of the batch, or nothing to begin with.
            Some(StatusCode::NOT_FOUND) => return Ok(entries),
            Some(status) if status.as_u16() == 204 => return Ok(entries),
            Some(status) => return Err(BrokerError::Bucket(status)),
        }
    }
}

fn subject_and_sequence(headers: &HeaderMap) -> Option<(String, u64)> {
    let subject = headers.get(NATS_SUBJECT)?.as_str().to_owned();
    let sequence = headers.get(NATS_SEQUENCE)?.as_str().parse().ok()?;
    Some((subject, sequence))
}

/// The aggregate's version in an entry; 0 in an entry from before there were versions.
fn version(body: &[u8]) -> i64 {
    #[derive(Deserialize)]
    struct EntryBody {
        #[serde(default)]
        version: i64,
    }
    serde_json::from_slice(body).map_or(0, |body: EntryBody| body.version)
}
