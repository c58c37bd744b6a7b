//! Entries of the audience bucket, of which an older one never takes the place of a newer one: a relay that
//! was cut off from the broker may come back with what another has long since said otherwise.

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

use crate::{Broker, BrokerError, publish::pipeline::Row};

/// The longest wait for the broker's answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// An entry as the bucket has it.
#[derive(Clone, Copy, Debug)]
struct Held {
    sequence: u64,
    version: i64,
}

/// Entries by whether they may be published.
#[derive(Debug, Default)]
pub(crate) struct Sorted {
    /// To be published, each where the one that it replaces is still the last.
    pub newer: Vec<Row>,
    /// Older than what the bucket has, with the stream sequence of that.
    pub older: Vec<(Row, u64)>,
}

/// Compares entries with those that the bucket has.
pub(crate) async fn sort(broker: &Broker, rows: &[Row]) -> Result<Sorted, BrokerError> {
    let held = held(broker, rows).await?;
    let mut sorted = Sorted::default();
    let mut seen = HashSet::new();
    for row in rows {
        let there = held.get(&row.subject);
        match there {
            Some(there) if there.version > version(&row.body) => {
                sorted.older.push((row.clone(), there.sequence));
            }
            _ => {
                // What follows in the same batch is compared by the order in which it was said.
                let is_first = seen.insert(row.subject.as_str());
                let after = is_first.then(|| there.map_or(0, |there| there.sequence));
                sorted.newer.push(Row {
                    after,
                    ..row.clone()
                });
            }
        }
    }
    Ok(sorted)
}

/// The bucket's entries of these rows' keys.
async fn held(broker: &Broker, rows: &[Row]) -> Result<HashMap<String, Held>, BrokerError> {
    let subjects: HashSet<&str> = rows.iter().map(|row| row.subject.as_str()).collect();
    let inbox = broker.client.new_inbox();
    let mut answers = broker.client.subscribe(inbox.clone()).await?;
    let wanted = json!({ "multi_last": subjects, "batch": subjects.len() });
    let asked = format!("$JS.API.DIRECT.GET.{AUDIENCE_STREAM}");
    broker
        .client
        .publish_with_reply(asked, inbox, wanted.to_string().into())
        .await?;
    let mut held = HashMap::new();
    loop {
        let answer = tokio::time::timeout(PATIENCE, answers.next())
            .await
            .map_err(|_| BrokerError::Silent)?
            .ok_or(BrokerError::Ended("the connection"))?;
        match answer.status {
            None => {
                let headers = answer.headers.unwrap_or_default();
                if let Some((subject, sequence)) = subject_and_sequence(&headers) {
                    let version = version(&answer.payload);
                    held.insert(subject, Held { sequence, version });
                }
            }
            // The end of the batch, or nothing to begin with.
            Some(StatusCode::NOT_FOUND) => return Ok(held),
            Some(status) if status.as_u16() == 204 => return Ok(held),
            Some(status) => return Err(BrokerError::Bucket(status)),
        }
    }
}

fn subject_and_sequence(headers: &HeaderMap) -> Option<(String, u64)> {
    let subject = headers.get(NATS_SUBJECT)?.as_str().to_owned();
    let sequence = headers.get(NATS_SEQUENCE)?.as_str().parse().ok()?;
    Some((subject, sequence))
}

/// The version that an entry is said of; 0 of one from before there were versions.
fn version(body: &[u8]) -> i64 {
    #[derive(Deserialize)]
    struct Said {
        #[serde(default)]
        version: i64,
    }
    serde_json::from_slice(body).map_or(0, |said: Said| said.version)
}
