//! Reads stored messages: single reads that any replica answers (direct get), without a consumer for each.

use std::time::Duration;

use async_nats::{Client, Message, Request, StatusCode, Subscriber, header::NATS_SEQUENCE};
use bytes::Bytes;
use futures_util::StreamExt;
use serde_json::json;
use tiffin_events::{IMPORT_HEADER, Stream, audience, subject};
use time::format_description::well_known::Rfc3339;

use crate::messages::Since;

/// The time-out of the broker's answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);
/// Events read at once. An order has a dozen.
const BATCH: usize = 256;

/// The broker did not answer as it should.
#[derive(Debug, thiserror::Error)]
#[error("the broker did not answer: {0}")]
pub struct Unavailable(String);

impl Unavailable {
    fn from(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// Reads messages that the broker has stored.
#[derive(Clone, Debug)]
pub struct BrokerReader(Client);

impl BrokerReader {
    pub fn new(client: Client) -> Self {
        Self(client)
    }

    pub fn client(&self) -> &Client {
        &self.0
    }

    /// Subscribes to the changes of a subject from now on.
    pub async fn subscribe(&self, subject: &str) -> Result<Subscriber, Unavailable> {
        let subject = subject.to_owned();
        self.0.subscribe(subject).await.map_err(Unavailable::from)
    }

    /// An entry of the audience bucket.
    pub async fn entry<T: serde::de::DeserializeOwned>(
        &self,
        key: &str,
    ) -> Result<Option<T>, Unavailable> {
        let stream = format!("KV_{}", audience::BUCKET);
        match self.last(&stream, &subject::audience(key)).await? {
            Some(bytes) if !bytes.is_empty() => serde_json::from_slice(&bytes)
                .map(Some)
                .map_err(Unavailable::from),
            _ => Ok(None),
        }
    }

    /// The last known position, as it was published.
    pub async fn position(
        &self,
        id: tiffin_events::DeliveryId,
    ) -> Result<Option<Bytes>, Unavailable> {
        self.last(Stream::Positions.name(), &subject::position(id))
            .await
    }

    /// The last message of one subject.
    async fn last(&self, stream: &str, subject: &str) -> Result<Option<Bytes>, Unavailable> {
        let asked = format!("$JS.API.DIRECT.GET.{stream}.{subject}");
        let request = Request::new().timeout(Some(ANSWER_TIMEOUT));
        let answer = self
            .0
            .send_request(asked, request)
            .await
            .map_err(Unavailable::from)?;
        match answer.status {
            None => Ok(Some(answer.payload)),
            Some(StatusCode::NOT_FOUND) => Ok(None),
            Some(status) => Err(Unavailable(status.to_string())),
        }
    }

    /// The events of one aggregate from there on, with their stream sequences, oldest first, without
    /// imported ones.
    pub async fn events(
        &self,
        stream: Stream,
        filter: &str,
        since: Since,
    ) -> Result<Vec<(u64, Bytes)>, Unavailable> {
        let mut found = Vec::new();
        let mut since = since;
        loop {
            let batch = self.batch(stream, filter, since).await?;
            let last = batch.last().and_then(stream_sequence);
            let is_full = batch.len() >= BATCH;
            let own = batch.into_iter().filter(|message| !is_imported(message));
            found.extend(
                own.filter_map(|message| Some((stream_sequence(&message)?, message.payload))),
            );
            match last {
                Some(seq) if is_full => since = Since::Sequence(seq),
                _ => return Ok(found),
            }
        }
    }

    async fn batch(
        &self,
        stream: Stream,
        filter: &str,
        since: Since,
    ) -> Result<Vec<Message>, Unavailable> {
        let mut wanted = json!({"batch": BATCH, "next_by_subj": filter});
        match since {
            Since::Nothing => return Ok(Vec::new()),
            Since::Sequence(seq) => wanted["seq"] = seq.saturating_add(1).into(),
            Since::Time(at) => {
                wanted["start_time"] = at.format(&Rfc3339).map_err(Unavailable::from)?.into();
            }
        }
        let inbox = self.0.new_inbox();
        let mut answers = self
            .0
            .subscribe(inbox.clone())
            .await
            .map_err(Unavailable::from)?;
        let asked = format!("$JS.API.DIRECT.GET.{stream}");
        let body = Bytes::from(wanted.to_string());
        self.0
            .publish_with_reply(asked, inbox, body)
            .await
            .map_err(Unavailable::from)?;
        let mut found = Vec::new();
        loop {
            let answer = tokio::time::timeout(ANSWER_TIMEOUT, answers.next())
                .await
                .map_err(Unavailable::from)?
                .ok_or_else(|| Unavailable("the connection ended".to_owned()))?;
            match answer.status {
                None => found.push(answer),
                // The end of the batch, or nothing to begin with.
                Some(StatusCode::NOT_FOUND) => return Ok(found),
                Some(status) if status.as_u16() == 204 => return Ok(found),
                Some(status) => return Err(Unavailable(status.to_string())),
            }
        }
    }
}

/// The stream sequence of a message.
fn stream_sequence(message: &Message) -> Option<u64> {
    let sequence = message.headers.as_ref()?.get(NATS_SEQUENCE)?;
    sequence.as_str().parse().ok()
}

fn is_imported(message: &Message) -> bool {
    let headers = message.headers.as_ref();
    headers.is_some_and(|headers| headers.get(IMPORT_HEADER).is_some())
}
