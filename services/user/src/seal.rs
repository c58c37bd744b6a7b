//! Secrets at rest: AES-256-GCM (NIST SP 800-38D) under a key from the configuration, so that the
//! database and its copies alone reveal nothing (ASVS 13.3.1, 11.3.2).
//!
//! A sealed value is a version byte, 8 bytes that name the key, the nonce of 12 bytes, the ciphertext
//! and its tag of 16 bytes. Its purpose is authenticated with it: a value moved to another row
//! does not open.

use std::{
    fmt::{self, Write},
    sync::Arc,
};

use aws_lc_rs::aead::{AES_256_GCM, Aad, Nonce, RandomizedNonceKey};
use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};
use tiffin_chassis::{Env, env::EnvError};

/// The first byte of a sealed value. No DER (`0x30`) and no text begins so.
const VERSION: u8 = 1;
const KEY_LENGTH: usize = 32;
const ID_LENGTH: usize = 8;
const NONCE_LENGTH: usize = 12;
const HEADER_LENGTH: usize = 1 + ID_LENGTH + NONCE_LENGTH;

/// The reason why a value was not sealed or opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    #[error("the value is not sealed")]
    Plain,
    #[error(
        "it is sealed under the key {wanted}, and TIFFIN_MASTER_KEY is {known}: set the key that it was \
         sealed under, first or after a comma"
    )]
    OtherKey { wanted: String, known: String },
    #[error("it was changed, or belongs to something else")]
    Changed,
    #[error("the value can't be sealed")]
    Failed,
}

/// Seals under the first of its keys and opens with all of them. Cheap to clone.
#[derive(Clone)]
pub struct Seal(Arc<[MasterKey]>);

struct MasterKey {
    id: [u8; ID_LENGTH],
    key: RandomizedNonceKey,
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Seal").field(&self.key_names()).finish()
    }
}

impl Seal {
    /// `TIFFIN_MASTER_KEY`, or the file that `TIFFIN_MASTER_KEY_FILE` names: 32 bytes in base64; older
    /// keys after commas.
    pub fn read(env: &Env) -> Result<Self, EnvError> {
        const NAME: &str = "TIFFIN_MASTER_KEY";
        let text = match (env.get(NAME), env.get("TIFFIN_MASTER_KEY_FILE")) {
            (Some(keys), _) => keys.to_owned(),
            (None, Some(file)) => {
                std::fs::read_to_string(file).map_err(|error| EnvError::Invalid {
                    name: "TIFFIN_MASTER_KEY_FILE",
                    reason: format!("{file}: {error}"),
                })?
            }
            (None, None) => return Err(EnvError::Missing(NAME)),
        };
        let keys: Option<Vec<MasterKey>> = text.split(',').map(MasterKey::read).collect();
        let keys = keys.ok_or_else(|| EnvError::Invalid {
            name: NAME,
            reason: "a key is 32 random bytes in base64, as `openssl rand -base64 32` makes them"
                .to_owned(),
        })?;
        Ok(Self(keys.into()))
    }

    /// Seals a value for `purpose`, which opening must name again: the column and the row.
    pub fn seal(&self, purpose: &str, value: &[u8]) -> Result<Vec<u8>, SealError> {
        let master = self.0.first().ok_or(SealError::Failed)?;
        let mut body = value.to_vec();
        let nonce = master
            .key
            .seal_in_place_append_tag(Aad::from(purpose), &mut body)
            .map_err(|_| SealError::Failed)?;
        let mut sealed = Vec::with_capacity(HEADER_LENGTH + body.len());
        sealed.push(VERSION);
        sealed.extend(master.id);
        sealed.extend(nonce.as_ref());
        sealed.extend(body);
        Ok(sealed)
    }

    /// Opens what [`Seal::seal`] made for the same purpose.
    pub fn open(&self, purpose: &str, sealed: &[u8]) -> Result<Vec<u8>, SealError> {
        if !is_sealed(sealed) || sealed.len() < HEADER_LENGTH {
            return Err(SealError::Plain);
        }
        let (id, rest) = sealed[1..].split_at(ID_LENGTH);
        let (nonce, body) = rest.split_at(NONCE_LENGTH);
        let master = self.0.iter().find(|master| master.id == id);
        let master = master.ok_or_else(|| SealError::OtherKey {
            wanted: key_name(id),
            known: self.key_names(),
        })?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| SealError::Changed)?;
        let mut body = body.to_vec();
        let value = master
            .key
            .open_in_place(nonce, Aad::from(purpose), &mut body)
            .map_err(|_| SealError::Changed)?;
        Ok(value.to_vec())
    }

    /// True if a value is sealed under the current key.
    pub fn is_current(&self, sealed: &[u8]) -> bool {
        let first = self.0.first();
        is_sealed(sealed)
            && first.is_some_and(|master| sealed.get(1..=ID_LENGTH) == Some(&master.id))
    }

    /// The bytes that name the current key in what it seals, after the version byte.
    pub fn current_id(&self) -> Result<[u8; ID_LENGTH], SealError> {
        let first = self.0.first().ok_or(SealError::Failed)?;
        Ok(first.id)
    }

    fn key_names(&self) -> String {
        let names: Vec<String> = self.0.iter().map(|master| key_name(&master.id)).collect();
        names.join(", ")
    }
}

/// True if a stored value is sealed, under any key.
pub fn is_sealed(value: &[u8]) -> bool {
    value.first() == Some(&VERSION)
}

impl MasterKey {
    fn read(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text.trim()).ok()?;
        if bytes.len() != KEY_LENGTH {
            return None;
        }
        let mut id = [0; ID_LENGTH];
        id.copy_from_slice(Sha256::digest(&bytes).get(..ID_LENGTH)?);
        let key = RandomizedNonceKey::new(&AES_256_GCM, &bytes).ok()?;
        Some(Self { id, key })
    }
}

/// The name of a key, which reveals nothing of the key.
fn key_name(id: &[u8]) -> String {
    let mut name = String::new();
    for byte in id {
        // Writing into memory does not fail.
        let _ = write!(name, "{byte:02x}");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seal(keys: &str) -> Seal {
        Seal::read(&Env::from_pairs([("TIFFIN_MASTER_KEY", keys)])).unwrap()
    }

    fn key(byte: u8) -> String {
        STANDARD.encode([byte; KEY_LENGTH])
    }

    #[test]
    fn what_is_sealed_opens_for_its_purpose_alone() {
        let seal = seal(&key(1));
        let sealed = seal.seal("totp/7", b"secret").unwrap();
        assert_eq!(sealed.len(), HEADER_LENGTH + 6 + 16);
        assert!(!sealed.windows(6).any(|window| window == b"secret"));
        assert_eq!(seal.open("totp/7", &sealed).unwrap(), b"secret");
        assert_eq!(seal.open("totp/8", &sealed), Err(SealError::Changed));
        assert_ne!(seal.seal("totp/7", b"secret").unwrap(), sealed);
        for index in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[index] ^= 1;
            assert!(seal.open("totp/7", &changed).is_err(), "byte {index}");
            assert!(seal.open("totp/7", &sealed[..index]).is_err());
        }
    }

    #[test]
    fn another_key_says_which_is_wanted_and_an_older_one_still_opens() {
        let old = seal(&key(1));
        let sealed = old.seal("it", b"secret").unwrap();
        let error = seal(&key(2)).open("it", &sealed).unwrap_err().to_string();
        assert!(
            error.contains(&old.key_names()) && error.contains("TIFFIN_MASTER_KEY"),
            "{error}"
        );
        let both = seal(&format!("{},{}", key(2), key(1)));
        assert_eq!(both.open("it", &sealed).unwrap(), b"secret");
        assert!(!both.is_current(&sealed));
        assert!(both.is_current(&both.seal("it", b"secret").unwrap()));
        assert!(!format!("{both:?}").contains(&key(2)));
    }

    #[test]
    fn an_invalid_key_is_refused() {
        for bad in ["short", "c2hvcnQ=", &format!("{},", key(1))] {
            let env = Env::from_pairs([("TIFFIN_MASTER_KEY", bad)]);
            let error = Seal::read(&env).unwrap_err().to_string();
            assert!(error.contains("32 random bytes"), "{error}");
        }
        let error = Seal::read(&Env::default()).unwrap_err();
        assert_eq!(error.to_string(), "TIFFIN_MASTER_KEY is not set");
    }
}
