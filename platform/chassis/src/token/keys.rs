//! The public keys that tokens are checked with.

use std::{
    collections::HashMap,
    sync::{PoisonError, RwLock},
    time::Duration,
};

use jsonwebtoken::{
    DecodingKey,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk},
};
use serde_json::Value;
use tokio::{sync::Mutex, time::Instant};
use url::Url;

use crate::refusal::BadToken;

/// The shortest time between two fetches of keys, however many unknown key ids come.
const PAUSE: Duration = Duration::from_secs(10);
/// The same after a fetch that failed.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(1);
const FETCH_TIMEOUT: Duration = Duration::from_secs(5);

type Set = HashMap<String, DecodingKey>;

/// Keys by their id, fetched when one is missing.
#[derive(Debug)]
pub(super) struct Keys {
    known: RwLock<Set>,
    source: Option<Source>,
}

#[derive(Debug)]
struct Source {
    url: Url,
    http: reqwest::Client,
    /// Held while fetching, so that everyone who waits for a key shares one fetch.
    rest_until: Mutex<Option<Instant>>,
}

impl Keys {
    pub(super) fn fixed(jwks: &Value) -> Self {
        Self {
            known: RwLock::new(read(jwks)),
            source: None,
        }
    }

    pub(super) fn fetched(url: Url) -> Self {
        // Services reach each other directly, without the proxy that leads out.
        let http = reqwest::Client::builder()
            .timeout(FETCH_TIMEOUT)
            .no_proxy()
            .build()
            .unwrap_or_default();
        Self {
            known: RwLock::default(),
            source: Some(Source {
                url,
                http,
                rest_until: Mutex::new(None),
            }),
        }
    }

    pub(super) async fn find(&self, id: &str) -> Result<DecodingKey, BadToken> {
        if let Some(key) = self.known(id) {
            return Ok(key);
        }
        let Some(source) = &self.source else {
            return Err(BadToken::Invalid);
        };
        let mut rest_until = source.rest_until.lock().await;
        if let Some(key) = self.known(id) {
            return Ok(key);
        }
        if rest_until.is_none_or(|until| until <= Instant::now()) {
            let pause = match source.fetch().await {
                // A server that answers so has no keys yet, or is not the user service.
                Ok(keys) if keys.is_empty() => {
                    tracing::warn!(url = %source.url, "no keys to check tokens with were named; those known stay");
                    PAUSE_AFTER_FAILURE
                }
                Ok(keys) => {
                    *self.known.write().unwrap_or_else(PoisonError::into_inner) = keys;
                    PAUSE
                }
                Err(error) => {
                    tracing::warn!(%error, url = %source.url, "the keys to check tokens with can't be fetched");
                    PAUSE_AFTER_FAILURE
                }
            };
            *rest_until = Some(Instant::now() + pause);
        }
        self.known(id).ok_or_else(|| {
            if self.is_empty() {
                BadToken::NoKeys
            } else {
                BadToken::Invalid
            }
        })
    }

    /// Fetches the keys where none is known yet. Returns whether one is.
    pub(super) async fn are_there(&self) -> bool {
        if self.is_empty() {
            // No key has an empty id: this only fetches.
            let _ = self.find("").await;
        }
        !self.is_empty()
    }

    /// Ends the rest after a fetch.
    #[cfg(test)]
    pub(super) async fn wake(&self) {
        if let Some(source) = &self.source {
            *source.rest_until.lock().await = None;
        }
    }

    fn known(&self, id: &str) -> Option<DecodingKey> {
        self.known
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(id)
            .cloned()
    }

    fn is_empty(&self) -> bool {
        self.known
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .is_empty()
    }
}

impl Source {
    async fn fetch(&self) -> reqwest::Result<Set> {
        let answer = self
            .http
            .get(self.url.clone())
            .send()
            .await?
            .error_for_status()?;
        Ok(read(&answer.json().await?))
    }
}

/// The Ed25519 keys of a JSON Web Key Set that have an id; others are not for us.
fn read(jwks: &Value) -> Set {
    let keys = jwks
        .get("keys")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default();
    keys.iter()
        .filter_map(|key| serde_json::from_value::<Jwk>(key.clone()).ok())
        .filter(|key| {
            matches!(&key.algorithm, AlgorithmParameters::OctetKeyPair(pair) if pair.curve == EllipticCurve::Ed25519)
        })
        .filter_map(|key| Some((key.common.key_id.clone()?, DecodingKey::from_jwk(&key).ok()?)))
        .collect()
}
