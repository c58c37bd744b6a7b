//! The loop in which the user service answers with keys.

use std::{fmt, sync::Arc, time::Duration};

use async_nats::{HeaderMap, Message};
use bytes::Bytes;
use futures_util::StreamExt;
use tiffin_events::subject;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::ask::{KeySource, KeysError};
use crate::{Broker, BrokerError};

/// The header of an answer that says why there is none.
pub(super) const FAILURE: &str = "Tiffin-Failure";
/// The pause before the next try to listen.
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// The number of requests that are answered at once.
const AT_ONCE: usize = 8;
/// Processes of this group share the requests.
const GROUP: &str = "user";

/// The part of the user service that answers with keys. [`KeyResponder::run`] is its loop.
#[derive(Clone)]
pub struct KeyResponder {
    broker: Broker,
    source: Arc<dyn KeySource>,
}

impl fmt::Debug for KeyResponder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyResponder").finish_non_exhaustive()
    }
}

impl KeyResponder {
    pub fn new(broker: Broker, source: impl KeySource) -> Self {
        let source = Arc::new(source);
        Self { broker, source }
    }

    /// Answers until `shutdown`.
    pub async fn run(self, shutdown: CancellationToken) {
        while !shutdown.is_cancelled() {
            if let Err(error) = self.listen(&shutdown).await {
                warn!(%error, "requests for keys of personal fields can't be received; trying again");
                tokio::select! {
                    () = shutdown.cancelled() => {}
                    () = tokio::time::sleep(RETRY_DELAY) => {}
                }
            }
        }
    }

    /// Answers a few requests at once; those that are begun are answered also after `shutdown`.
    async fn listen(&self, shutdown: &CancellationToken) -> Result<(), BrokerError> {
        let (subject, group) = (subject::PERSONAL_KEYS, GROUP.to_owned());
        let requests = self.broker.client.queue_subscribe(subject, group).await?;
        requests
            .take_until(shutdown.cancelled())
            .for_each_concurrent(AT_ONCE, |message| self.receive(message))
            .await;
        if shutdown.is_cancelled() {
            return Ok(());
        }
        Err(BrokerError::Ended("the subscription"))
    }

    async fn receive(&self, message: Message) {
        let Some(reply) = message.reply else { return };
        let mut headers = HeaderMap::new();
        let answer = self.answer(&message.payload).await.unwrap_or_else(|error| {
            warn!(%error, "keys of personal fields can't be read; the service that wants them asks again");
            headers.insert(FAILURE, error.to_string().replace(['\r', '\n'], " "));
            Bytes::new()
        });
        let client = &self.broker.client;
        if let Err(error) = client.publish_with_headers(reply, headers, answer).await {
            warn!(%error, "keys of personal fields were not sent; the service that wants them asks again");
        }
    }

    async fn answer(&self, ask: &[u8]) -> Result<Bytes, Box<dyn std::error::Error + Send + Sync>> {
        match self.source.find(serde_json::from_slice(ask)?).await {
            Ok(found) => Ok(serde_json::to_vec(&found)?.into()),
            // The service that asked says the rest of the sentence.
            Err(KeysError::Away(reason)) => Err(reason.into()),
            Err(error) => Err(error.into()),
        }
    }
}
