use std::{fmt, str::FromStr};

use aws_lc_rs::digest::{Context, Digest, SHA256, digest};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// A SHA-256 hash, written as 64 small hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The chain before the first entry of a manifest: zeros.
    pub const START: Self = Self([0; 32]);

    /// The hash of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        digest(&SHA256, bytes).into()
    }

    /// The hash of this hash's 32 bytes, followed by `bytes`.
    #[must_use]
    pub fn chained(self, bytes: &[u8]) -> Self {
        let mut context = Context::new(&SHA256);
        context.update(&self.0);
        context.update(bytes);
        context.finish().into()
    }

    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<Digest> for Hash {
    fn from(digest: Digest) -> Self {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest.as_ref());
        Self(bytes)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no hash.
#[derive(Debug, thiserror::Error)]
#[error("a hash has 64 small hexadecimal digits")]
pub struct BadHash;

impl FromStr for Hash {
    type Err = BadHash;

    fn from_str(text: &str) -> Result<Self, BadHash> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Ok(byte - b'0'),
            b'a'..=b'f' => Ok(byte - b'a' + 10),
            _ => Err(BadHash),
        };
        let mut bytes = [0; 32];
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != bytes.len() || !rest.is_empty() {
            return Err(BadHash);
        }
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = digit(*high)? << 4 | digit(*low)?;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}
