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
const FETCH_INTERVAL: Duration = Duration::from_secs(10);
/// The same after a fetch that failed.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);
const FETCH_TIMEOUT: Duration = Duration::from_secs(5);

type KeySet = HashMap<String, DecodingKey>;

/// Keys by their id, fetched when one is missing.
#[derive(Debug)]
pub(super) struct Keys {
    known: RwLock<KeySet>,
    source: Option<Source>,
}

#[derive(Debug)]
struct Source {
    url: Url,
    http: reqwest::Client,
    /// Held while fetching, so that everyone who waits for a key shares one fetch.
    next_fetch: Mutex<Option<Instant>>,
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
                next_fetch: Mutex::new(None),
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
        let mut next_fetch = source.next_fetch.lock().await;
        if let Some(key) = self.known(id) {
            return Ok(key);
        }
        if next_fetch.is_none_or(|at| at <= Instant::now()) {
            let interval = match source.fetch().await {
                // A server that answers so has no keys yet, or is not the user service.
                Ok(keys) if keys.is_empty() => {
                    tracing::warn!(url = %source.url, "the user service named no keys to check tokens with; the known ones stay in use");
                    RETRY_INTERVAL
                }
                Ok(keys) => {
                    *self.known.write().unwrap_or_else(PoisonError::into_inner) = keys;
                    FETCH_INTERVAL
                }
                Err(error) => {
                    tracing::warn!(%error, url = %source.url, "the keys to check tokens with can't be fetched; the next unknown key id tries again");
                    RETRY_INTERVAL
                }
            };
            *next_fetch = Some(Instant::now() + interval);
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
    pub(super) async fn ensure_fetched(&self) -> bool {
        if self.is_empty() {
            // No key has an empty id: this only fetches.
            let _ = self.find("").await;
        }
        !self.is_empty()
    }

    /// Allows the next fetch at once.
    #[cfg(test)]
    pub(super) async fn allow_fetch(&self) {
        if let Some(source) = &self.source {
            *source.next_fetch.lock().await = None;
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
    async fn fetch(&self) -> reqwest::Result<KeySet> {
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
fn read(jwks: &Value) -> KeySet {
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
