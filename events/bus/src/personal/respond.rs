//! The loop in which a service answers for accounts.

use std::{fmt, time::Duration};

use async_nats::{HeaderMap, Message};
use bytes::Bytes;
use futures_util::StreamExt;
use sqlx::PgPool;
use tiffin_events::subject;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::{Ask, CHUNK_SIZE, Personal, ReadFile};
use crate::{Broker, BrokerError};

/// The header of an answer that says why there is none.
pub(super) const FAILURE: &str = "Tiffin-Failure";
/// The pause before the next try to listen.
const RETRY_DELAY: Duration = Duration::from_secs(5);

/// The part of a service that answers with what it holds about an account. [`Responder::run`] is its loop.
#[derive(Clone)]
pub struct Responder {
    service: &'static str,
    pool: PgPool,
    broker: Broker,
    personal: &'static Personal,
    files: Option<ReadFile>,
}

impl fmt::Debug for Responder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Responder")
            .field("service", &self.service)
            .finish_non_exhaustive()
    }
}

impl Responder {
    pub fn new(
        service: &'static str,
        pool: PgPool,
        broker: Broker,
        personal: &'static Personal,
        files: Option<ReadFile>,
    ) -> Self {
        Self {
            service,
            pool,
            broker,
            personal,
            files,
        }
    }

    /// Answers until `shutdown`.
    pub async fn run(self, shutdown: CancellationToken) {
        while !shutdown.is_cancelled() {
            if let Err(error) = self.listen(&shutdown).await {
                warn!(service = self.service, %error, "requests for an account's rows can't be received; trying again");
                tokio::select! {
                    () = shutdown.cancelled() => {}
                    () = tokio::time::sleep(RETRY_DELAY) => {}
                }
            }
        }
    }

    async fn listen(&self, shutdown: &CancellationToken) -> Result<(), BrokerError> {
        let (subject, group) = (subject::personal(self.service), self.service.to_owned());
        let mut requests = self.broker.client.queue_subscribe(subject, group).await?;
        loop {
            let message = tokio::select! {
                () = shutdown.cancelled() => return Ok(()),
                message = requests.next() => message,
            };
            let message = message.ok_or(BrokerError::Ended("the subscription"))?;
            self.receive(message).await;
        }
    }

    async fn receive(&self, message: Message) {
        let Some(reply) = message.reply else { return };
        let mut headers = HeaderMap::new();
        let answer = self.answer(&message.payload).await.unwrap_or_else(|error| {
            warn!(service = self.service, %error, "an account's rows can't be read; the user service asks again");
            headers.insert(FAILURE, one_line(&error.to_string()));
            Bytes::new()
        });
        let client = &self.broker.client;
        if let Err(error) = client.publish_with_headers(reply, headers, answer).await {
            warn!(service = self.service, %error, "an account's rows were not sent; the user service asks again");
        }
    }

    async fn answer(&self, ask: &[u8]) -> Result<Bytes, Box<dyn std::error::Error + Send + Sync>> {
        match serde_json::from_slice(ask)? {
            Ask::Page { account, after } => {
                let mut conn = self.pool.acquire().await?;
                let page = self.personal.page(&mut conn, account, after.as_ref());
                Ok(serde_json::to_vec(&page.await?)?.into())
            }
            Ask::File { account, id, from } => {
                let Some(read) = &self.files else {
                    return Ok(Bytes::new());
                };
                let file = read(account, id).await?.unwrap_or_default();
                let from = from.min(file.len());
                Ok(file.slice(from..file.len().min(from + CHUNK_SIZE)))
            }
        }
    }
}

/// A text that a header can hold.
fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}
