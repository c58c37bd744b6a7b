//! Voluntary application server identification: RFC 8292.

use std::fmt;

use aws_lc_rs::{
    error::{KeyRejected, Unspecified},
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::Serialize;
use time::{Duration, OffsetDateTime};
use url::Url;

/// The lifetime of a signature. The standard allows a day at most.
const LIFETIME: Duration = Duration::hours(12);

/// The key that identifies this service to push services.
pub struct Key {
    signing: EncodingKey,
    /// The public half, in the form that browsers subscribe with.
    public: String,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key")
            .field("public", &self.public)
            .finish_non_exhaustive()
    }
}

#[derive(Serialize)]
struct Claims<'a> {
    aud: String,
    exp: i64,
    sub: &'a str,
}

impl Key {
    /// Generates a new key in the form in which it is stored.
    pub fn generate() -> Result<Vec<u8>, Unspecified> {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING)?;
        Ok(pair.to_pkcs8v1()?.as_ref().to_vec())
    }

    /// Reads a stored key.
    pub fn read(pkcs8: &[u8]) -> Result<Self, KeyRejected> {
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8)?;
        Ok(Self {
            signing: EncodingKey::from_ec_der(pkcs8),
            public: URL_SAFE_NO_PAD.encode(pair.public_key().as_ref()),
        })
    }

    /// The public half in base64url.
    pub fn public(&self) -> &str {
        &self.public
    }

    /// The `Authorization` header of a message to a push service.
    pub fn authorization(
        &self,
        endpoint: &Url,
        contact: &str,
        now: OffsetDateTime,
    ) -> jsonwebtoken::errors::Result<String> {
        let claims = Claims {
            aud: endpoint.origin().ascii_serialization(),
            exp: (now + LIFETIME).unix_timestamp(),
            sub: contact,
        };
        let token = jsonwebtoken::encode(&Header::new(Algorithm::ES256), &claims, &self.signing)?;
        Ok(format!("vapid t={token}, k={}", self.public))
    }
}
