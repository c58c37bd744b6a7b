//! Requests for keys, as they travel to the user service.

use std::time::Duration;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use tiffin_events::{UserId, subject};
use uuid::Uuid;

use super::{key::Secret, respond::FAILURE};

/// The longest wait for an answer.
const TIMEOUT: Duration = Duration::from_secs(5);

/// A request for keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyAsk {
    /// Persons whose key seals. One who has none yet gets one.
    pub persons: Vec<UserId>,
    /// Keys that events name.
    pub keys: Vec<Uuid>,
}

/// A key and its person. The secret is gone once it is destroyed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyState {
    pub id: Uuid,
    pub person: UserId,
    /// Absent once it is destroyed.
    pub secret: Option<Secret>,
}

/// The reason why keys can't be had. A later request may succeed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeysError {
    #[error("the user service does not answer with keys of personal fields: {0}")]
    Away(String),
    #[error(
        "the user service has no key {0}, and does not know it as destroyed: its database is older than the event"
    )]
    Unknown(Uuid),
}

/// The keeper of keys: the user service's database, or a request to that service.
pub trait KeySource: Send + Sync + 'static {
    /// The keys that are asked for. Those that it never had are left out.
    fn find(&self, ask: KeyAsk) -> BoxFuture<'_, Result<Vec<KeyState>, KeysError>>;
}

impl KeySource for async_nats::Client {
    fn find(&self, ask: KeyAsk) -> BoxFuture<'_, Result<Vec<KeyState>, KeysError>> {
        Box::pin(async move {
            let body = serde_json::to_vec(&ask).map_err(|error| away(&error))?;
            let request = async_nats::Request::new()
                .payload(body.into())
                .timeout(Some(TIMEOUT));
            let asked = self.send_request(subject::PERSONAL_KEYS, request).await;
            let answer = asked.map_err(|error| away(&error))?;
            let failure = answer.headers.as_ref().and_then(|all| all.get(FAILURE));
            match failure {
                Some(failure) => Err(away(failure)),
                None => serde_json::from_slice(&answer.payload).map_err(|error| away(&error)),
            }
        })
    }
}

fn away(reason: &impl ToString) -> KeysError {
    KeysError::Away(reason.to_string())
}
