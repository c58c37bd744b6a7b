//! Access tokens: `EdDSA` (Ed25519) JSON Web Tokens that the user service signs and everyone verifies.

mod keys;
mod proof;
mod revocations;

use std::sync::Arc;

use jsonwebtoken::{Algorithm, Validation, errors::ErrorKind};
use serde::{Deserialize, Serialize};
use tiffin_events::{Clock, Role, UserId};
use time::OffsetDateTime;
use url::Url;
use uuid::Uuid;

use crate::refusal::BadToken;
use keys::Keys;
pub use proof::{FRESH_FOR, Method, Proof};
pub use revocations::{Revocations, SILENT_AFTER, TRUSTED_FOR};

pub const ISSUER: &str = "tiffin";
pub const AUDIENCE: &str = "tiffin";

/// The longest difference of two machines' clocks, in seconds.
pub const LEEWAY_SECONDS: i64 = 5;

/// The life of an access token, in seconds.
pub const LIFETIME_SECONDS: i64 = 15 * 60;

/// The claims of a token.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Claims {
    pub iss: String,
    pub aud: String,
    pub sub: UserId,
    pub role: Role,
    pub email: String,
    /// True if the e-mail address is proven; false opens only verification and the own profile.
    pub verified: bool,
    /// True if the user operates the event history, which no role includes.
    #[serde(default)]
    pub operator: bool,
    /// True if the user has to turn on a second factor first; the token then opens nothing else.
    #[serde(default)]
    pub enrol: bool,
    /// The time the user last showed who they are, in seconds since 1970. A refresh keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_time: Option<i64>,
    /// The methods they used then (RFC 8176).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub amr: Vec<Method>,
    /// Seconds since 1970.
    pub iat: i64,
    pub nbf: i64,
    pub exp: i64,
    /// A `UUIDv7`: its time is the moment of issue to the millisecond, which revocation compares.
    pub jti: Uuid,
}

impl Claims {
    /// The time and manner of the user's last proof.
    pub fn proof(&self) -> Proof {
        let at = |seconds| OffsetDateTime::from_unix_timestamp(seconds).ok();
        Proof {
            at: self.auth_time.and_then(at),
            methods: self.amr.clone(),
        }
    }
}

/// Checks tokens against the user service's public keys, which it caches; an unknown key id makes it
/// ask again, at most once in ten seconds.
#[derive(Clone, Debug)]
pub struct Verifier {
    keys: Arc<Keys>,
    clock: Clock,
    revocations: Revocations,
}

impl Verifier {
    /// Keys from `GET <jwks_url>`.
    pub fn new(jwks_url: Url, clock: Clock, revocations: Revocations) -> Self {
        Self {
            keys: Arc::new(Keys::fetched(jwks_url)),
            clock,
            revocations,
        }
    }

    /// Keys that never change: a JSON Web Key Set (RFC 7517).
    pub fn with_keys(jwks: &serde_json::Value, clock: Clock, revocations: Revocations) -> Self {
        Self {
            keys: Arc::new(Keys::fixed(jwks)),
            clock,
            revocations,
        }
    }

    pub async fn verify(&self, token: &str) -> Result<Claims, BadToken> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| BadToken::Invalid)?;
        if header.alg != Algorithm::EdDSA {
            return Err(BadToken::Invalid);
        }
        let key = self
            .keys
            .find(&header.kid.ok_or(BadToken::Invalid)?)
            .await?;
        let claims =
            jsonwebtoken::decode::<Claims>(token, &key, &validation()).map_err(|error| {
                tracing::debug!(%error, "token refused");
                match error.kind() {
                    ErrorKind::ExpiredSignature => BadToken::Expired,
                    _ => BadToken::Invalid,
                }
            })?;
        self.check(&claims.claims)?;
        Ok(claims.claims)
    }

    /// The times, by our own clock, and whether the token was ended.
    fn check(&self, claims: &Claims) -> Result<(), BadToken> {
        let now = self.clock.now().unix_timestamp();
        if claims.exp.saturating_add(LEEWAY_SECONDS) <= now {
            return Err(BadToken::Expired);
        }
        if claims.nbf.saturating_sub(LEEWAY_SECONDS) > now {
            return Err(BadToken::Invalid);
        }
        let issued = issued_at(claims.jti).ok_or(BadToken::Invalid)?;
        if self.revocations.is_revoked(claims.sub, issued) {
            Err(BadToken::Revoked)
        } else if self.revocations.is_doubtful(issued, self.clock.now()) {
            Err(BadToken::Doubtful)
        } else {
            Ok(())
        }
    }

    /// True if tokens can be checked; fetches the keys if none is known.
    pub async fn has_keys(&self) -> bool {
        self.keys.ensure_fetched().await
    }

    pub fn revocations(&self) -> &Revocations {
        &self.revocations
    }

    pub fn clock(&self) -> &Clock {
        &self.clock
    }
}

/// Signature, issuer, audience and presence of the claims; the times are compared by [`Verifier::check`].
fn validation() -> Validation {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.set_required_spec_claims(&["exp", "nbf", "iss", "aud", "sub"]);
    validation.set_issuer(&[ISSUER]);
    validation.set_audience(&[AUDIENCE]);
    validation.validate_exp = false;
    validation.validate_nbf = false;
    validation
}

/// The millisecond that a `UUIDv7` was made in.
fn issued_at(id: Uuid) -> Option<OffsetDateTime> {
    let (seconds, nanoseconds) = id.get_timestamp()?.to_unix();
    let nanoseconds = i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
    OffsetDateTime::from_unix_timestamp_nanos(nanoseconds).ok()
}

#[cfg(test)]
mod tests;
