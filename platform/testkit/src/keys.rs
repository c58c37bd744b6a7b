//! Tokens as the user service signs them, with a key of our own.

use std::sync::LazyLock;

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};
use tiffin_chassis::{
    Claims, Revocations, Verifier,
    token::{AUDIENCE, ISSUER, Method},
};
use tiffin_events::{Clock, Role, UserId};
use time::Duration;

const KEY_ID: &str = "test";

static KEY: LazyLock<Ed25519KeyPair> = LazyLock::new(|| Ed25519KeyPair::generate().expect("a key"));

/// The public half, as `/.well-known/jwks.json` would answer it.
pub fn jwks() -> Value {
    let x = URL_SAFE_NO_PAD.encode(KEY.public_key().as_ref());
    json!({ "keys": [
        { "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": KEY_ID, "x": x },
    ] })
}

/// A verifier that takes this module's tokens.
pub fn verifier(clock: &Clock) -> Verifier {
    Verifier::with_keys(&jwks(), clock.clone(), Revocations::default())
}

/// A token of a verified user who has just signed in, good for 15 minutes from now.
pub fn token(clock: &Clock, user: UserId, role: Role) -> TokenBuilder {
    let now = clock.now().unix_timestamp();
    TokenBuilder {
        claims: Claims {
            iss: ISSUER.to_owned(),
            aud: AUDIENCE.to_owned(),
            sub: user,
            role,
            email: format!("{role}-{}@example.com", user.0.simple()),
            verified: true,
            operator: role == Role::Operator,
            enrol: false,
            auth_time: Some(now),
            amr: vec![Method::Pwd],
            iat: now,
            nbf: now,
            exp: now + Duration::minutes(15).whole_seconds(),
            jti: clock.new_id(),
        },
        algorithm: Algorithm::EdDSA,
    }
}

/// A token in the making.
#[derive(Clone, Debug)]
#[must_use]
pub struct TokenBuilder {
    pub claims: Claims,
    algorithm: Algorithm,
}

impl TokenBuilder {
    pub fn email(mut self, email: &str) -> Self {
        email.clone_into(&mut self.claims.email);
        self
    }

    /// Of a user who operates the event history.
    pub fn operator(mut self) -> Self {
        self.claims.operator = true;
        self
    }

    /// Of a user who has to turn on a second factor first.
    pub fn enrolling(mut self) -> Self {
        self.claims.enrol = true;
        self
    }

    /// Of a user who showed who they are so long ago.
    pub fn proven_before(mut self, ago: Duration) -> Self {
        self.claims.auth_time = Some(self.claims.iat - ago.whole_seconds());
        self
    }

    /// As tokens were before they said when their user signed in.
    pub fn without_proof(mut self) -> Self {
        self.claims.auth_time = None;
        self.claims.amr = Vec::new();
        self
    }

    /// Of a user who has not proven their e-mail address.
    pub fn unverified(mut self) -> Self {
        self.claims.verified = false;
        self
    }

    /// Ended an hour ago.
    pub fn expired(mut self) -> Self {
        for moment in [
            &mut self.claims.iat,
            &mut self.claims.nbf,
            &mut self.claims.exp,
        ] {
            *moment -= Duration::minutes(75).whole_seconds();
        }
        self
    }

    /// Signed by an algorithm that no service may accept.
    pub fn symmetric(mut self) -> Self {
        self.algorithm = Algorithm::HS256;
        self
    }

    /// The token.
    pub fn sign(&self) -> String {
        let mut header = Header::new(self.algorithm);
        header.kid = Some(KEY_ID.to_owned());
        let key = if self.algorithm == Algorithm::EdDSA {
            EncodingKey::from_ed_der(KEY.to_pkcs8v1().expect("the key as PKCS #8").as_ref())
        } else {
            EncodingKey::from_secret(KEY.public_key().as_ref())
        };
        jsonwebtoken::encode(&header, &self.claims, &key).expect("a signed token")
    }

    /// The token with other claims (an administrator's) under the old signature.
    pub fn tampered(&self) -> String {
        let signed = self.sign();
        let mut claims = self.claims.clone();
        claims.role = Role::Admin;
        claims.exp += 3600;
        let payload = URL_SAFE_NO_PAD.encode(serde_json::to_vec(&claims).expect("claims as JSON"));
        let mut parts = signed.split('.');
        let header = parts.next().unwrap_or_default();
        let signature = parts.nth(1).unwrap_or_default();
        format!("{header}.{payload}.{signature}")
    }
}
