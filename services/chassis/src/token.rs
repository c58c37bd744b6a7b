//! Access tokens: EdDSA (Ed25519) JSON Web Tokens that the user service signs and everyone verifies.

use serde::{Deserialize, Serialize};
use tiffin_events::{Clock, Role, UserId};
use time::OffsetDateTime;
use tokio::sync::broadcast;
use url::Url;
use uuid::Uuid;

pub const ISSUER: &str = "tiffin";
pub const AUDIENCE: &str = "tiffin";

/// What a token says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Claims {
    pub iss: String,
    pub aud: String,
    pub sub: UserId,
    pub role: Role,
    pub email: String,
    /// Whether the e-mail address is proven; false opens only verification and the own profile.
    pub verified: bool,
    /// Seconds since 1970.
    pub iat: i64,
    pub nbf: i64,
    pub exp: i64,
    /// A `UUIDv7`: its time is the moment of issue to the millisecond, which revocation compares.
    pub jti: Uuid,
}

/// Why a token was refused. Each reads as a sentence to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error("The token is not valid.")]
    Invalid,
    #[error("The token has expired.")]
    Expired,
    #[error("The token was ended. Please log in again.")]
    Revoked,
    #[error("The keys to check tokens with are not available.")]
    NoKeys,
}

/// Checks tokens against the user service's public keys, which it caches; an unknown key id makes it
/// ask again, at most once in ten seconds.
#[derive(Clone, Debug)]
pub struct Verifier {
    clock: Clock,
    revocations: Revocations,
}

impl Verifier {
    /// Keys from `GET <jwks_url>`.
    pub fn new(_jwks_url: Url, clock: Clock, revocations: Revocations) -> Self {
        Self { clock, revocations }
    }

    /// Keys that never change: a JSON Web Key Set (RFC 7517).
    pub fn with_keys(_jwks: &serde_json::Value, clock: Clock, revocations: Revocations) -> Self {
        Self { clock, revocations }
    }

    pub async fn verify(&self, _token: &str) -> Result<Claims, TokenError> {
        unimplemented!()
    }

    pub fn revocations(&self) -> &Revocations {
        &self.revocations
    }

    pub fn clock(&self) -> &Clock {
        &self.clock
    }
}

/// Users whose tokens from before a moment are refused: blocked, deleted, password changed. Fed by
/// the user service's events; entries older than a token lives are forgotten.
#[derive(Clone, Debug)]
pub struct Revocations {
    ended: broadcast::Sender<UserId>,
}

impl Default for Revocations {
    fn default() -> Self {
        Self { ended: broadcast::channel(1024).0 }
    }
}

impl Revocations {
    /// Refuses `user`'s tokens that were issued at or before `at`.
    pub fn revoke(&self, _user: UserId, _at: OffsetDateTime) {
        unimplemented!()
    }

    pub fn is_revoked(&self, _user: UserId, _issued: OffsetDateTime) -> bool {
        unimplemented!()
    }

    /// Tells of each revocation as it comes, so that open sockets can be closed.
    pub fn subscribe(&self) -> broadcast::Receiver<UserId> {
        self.ended.subscribe()
    }
}
