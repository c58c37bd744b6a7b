//! The signature of a webhook: `t=<seconds>,v1=<hex>` with one or more `v1`, each the HMAC-SHA-256 of
//! `<seconds>.<body>` (<https://docs.stripe.com/webhooks#verify-manually>).

use std::fmt;

use aws_lc_rs::hmac::{self, HMAC_SHA256, Key};
use tiffin_chassis::refusals;
use time::{Duration, OffsetDateTime};

/// The greatest difference between a signature's time and ours, either way.
const TOLERANCE: Duration = Duration::minutes(5);
/// The most signatures that are tried. Stripe sends one for each secret, at most two while one is rotated.
const MAX_SIGNATURES: usize = 8;

/// The webhook's secrets: one, or two while one replaces the other.
#[derive(Clone)]
pub(super) struct Secrets(Vec<Key>);

refusals! {
    /// The fault of a webhook's signature.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadSignature {
        Unsigned = 400, "payment.webhook-unsigned", "The webhook's signature is missing or can't be read.";
        Old = 400, "payment.webhook-old", "The webhook's signature is not of this moment.";
        Wrong = 400, "payment.webhook-forged", "The webhook's signature is wrong.";
    }
}

impl Secrets {
    /// Secrets with commas between them.
    pub fn read(text: &str) -> Self {
        let secrets = text
            .split(',')
            .map(str::trim)
            .filter(|secret| !secret.is_empty());
        Self(
            secrets
                .map(|secret| Key::new(HMAC_SHA256, secret.as_bytes()))
                .collect(),
        )
    }

    pub fn verify(
        &self,
        header: &str,
        body: &[u8],
        now: OffsetDateTime,
    ) -> Result<(), BadSignature> {
        let mut time = None;
        let mut signatures = Vec::new();
        for part in header.split(',') {
            match part.trim().split_once('=') {
                Some(("t", seconds)) => time = Some(seconds),
                Some(("v1", hex)) if signatures.len() < MAX_SIGNATURES => {
                    signatures.extend(from_hex(hex));
                }
                _ => {}
            }
        }
        let time = time.ok_or(BadSignature::Unsigned)?;
        let seconds: i64 = time.parse().map_err(|_| BadSignature::Unsigned)?;
        let signed = OffsetDateTime::from_unix_timestamp(seconds);
        let signed = signed.map_err(|_| BadSignature::Unsigned)?;
        if signatures.is_empty() {
            return Err(BadSignature::Unsigned);
        }
        let text = [time.as_bytes(), b".", body].concat();
        let is_right = self.0.iter().any(|key| {
            let mut all = signatures.iter();
            all.any(|signature| hmac::verify(key, &text, signature).is_ok())
        });
        if !is_right {
            Err(BadSignature::Wrong)
        } else if (now - signed).abs() > TOLERANCE {
            Err(BadSignature::Old)
        } else {
            Ok(())
        }
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} secrets", self.0.len())
    }
}

/// The 32 bytes of a SHA-256 in hexadecimal digits.
fn from_hex(hex: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if hex.len() != 64 || !hex.is_ascii() {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hex.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(bytes)
}
