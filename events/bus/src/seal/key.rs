//! The key of a person: AES-256-GCM (NIST SP 800-38D) with random nonces.

use std::{fmt, str::FromStr};

use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use tiffin_events::{
    UserId,
    personal::{Fields, SealedPart},
};
use uuid::Uuid;

const LENGTH: usize = 32;
/// The first bytes of a part's authenticated context: the purpose of the key.
const PURPOSE: &[u8] = b"tiffin personal fields 1";

/// The bytes of a key. They are in no log.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Secret([u8; LENGTH]);

impl Secret {
    /// A new secret from the system's random numbers.
    pub fn random() -> Result<Self, BadPart> {
        let mut bytes = [0; LENGTH];
        aws_lc_rs::rand::fill(&mut bytes).map_err(|_| BadPart::Failed)?;
        Ok(Self(bytes))
    }

    /// The secret of 32 bytes; `None` for another length.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl From<Secret> for String {
    fn from(secret: Secret) -> Self {
        STANDARD.encode(secret.0)
    }
}

impl TryFrom<String> for Secret {
    type Error = BadPart;

    fn try_from(text: String) -> Result<Self, BadPart> {
        text.parse()
    }
}

impl FromStr for Secret {
    type Err = BadPart;

    fn from_str(text: &str) -> Result<Self, BadPart> {
        let bytes = STANDARD.decode(text).ok();
        let secret = bytes.and_then(|bytes| Self::from_bytes(&bytes));
        secret.ok_or(BadPart::Failed)
    }
}

/// The reason why fields were not sealed or opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPart {
    #[error("its sealed fields were changed, or belong to another event")]
    Changed,
    #[error("its personal fields can't be sealed")]
    Failed,
}

/// A key with its id and its person.
pub struct PersonKey {
    id: Uuid,
    person: UserId,
    key: RandomizedNonceKey,
}

impl fmt::Debug for PersonKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PersonKey").field(&self.id).finish()
    }
}

impl PersonKey {
    pub fn new(id: Uuid, person: UserId, secret: &Secret) -> Result<Self, BadPart> {
        let key = RandomizedNonceKey::new(&AES_256_GCM, secret.bytes());
        let key = key.map_err(|_| BadPart::Failed)?;
        Ok(Self { id, person, key })
    }

    /// Seals a person's fields of an event.
    pub fn seal(&self, event: Uuid, fields: &Fields) -> Result<SealedPart, BadPart> {
        let mut body = serde_json::to_vec(fields).map_err(|_| BadPart::Failed)?;
        let context = context(event, self.person, self.id);
        let sealed = self
            .key
            .seal_in_place_append_tag(Aad::from(context), &mut body);
        let nonce = sealed.map_err(|_| BadPart::Failed)?;
        let value = [nonce.as_ref().as_slice(), body.as_slice()].concat();
        Ok(SealedPart {
            person: self.person,
            key: self.id,
            value: STANDARD.encode(value),
        })
    }

    /// Opens what [`PersonKey::seal`] made for the same event.
    pub fn open(&self, event: Uuid, part: &SealedPart) -> Result<Fields, BadPart> {
        let bytes = STANDARD.decode(&part.value).map_err(|_| BadPart::Changed)?;
        let (nonce, body) = bytes.split_at_checked(NONCE_LEN).ok_or(BadPart::Changed)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| BadPart::Changed)?;
        let mut body = body.to_vec();
        let context = context(event, part.person, part.key);
        let opened = self.key.open_in_place(nonce, Aad::from(context), &mut body);
        let opened = opened.map_err(|_| BadPart::Changed)?;
        serde_json::from_slice(opened).map_err(|_| BadPart::Changed)
    }
}

/// The bytes that are authenticated with a part, so that it opens nowhere else: its event, its person and its key.
fn context(event: Uuid, person: UserId, key: Uuid) -> Vec<u8> {
    let ids = [event, person.0, key];
    let ids = ids.iter().flat_map(Uuid::as_bytes);
    PURPOSE.iter().chain(ids).copied().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const EVENT: Uuid = Uuid::from_u128(1);
    const PERSON: UserId = UserId(Uuid::from_u128(2));
    const KEY: Uuid = Uuid::from_u128(3);

    fn key(byte: u8) -> PersonKey {
        let secret = Secret::from_bytes(&[byte; LENGTH]).unwrap();
        PersonKey::new(KEY, PERSON, &secret).unwrap()
    }

    fn fields() -> Fields {
        Fields::from([("/address".to_owned(), json!("12 Galle Road"))])
    }

    #[test]
    fn what_is_sealed_opens_and_does_not_show() {
        let sealed = key(7).seal(EVENT, &fields()).unwrap();
        assert_eq!(key(7).open(EVENT, &sealed), Ok(fields()));
        let bytes = STANDARD.decode(&sealed.value).unwrap();
        assert!(!bytes.windows(5).any(|window| window == b"Galle"));
        let again = key(7).seal(EVENT, &fields()).unwrap();
        assert_ne!(again.value, sealed.value, "a nonce is used once");
    }

    /// Made by Node's `crypto.createCipheriv("aes-256-gcm", …)` of the same key, nonce, context and text.
    #[test]
    fn another_implementations_ciphertext_opens() {
        let part = SealedPart {
            person: PERSON,
            key: KEY,
            value: "BQUFBQUFBQUFBQUFmdOoSbX5DVaTBH9Kp1y7lBAnZG+W/hDoRJS6O7g4nMxTh8G3f3GHXA2y38w="
                .to_owned(),
        };
        assert_eq!(key(7).open(EVENT, &part), Ok(fields()));
    }

    #[test]
    fn a_flipped_bit_is_noticed() {
        let sealed = key(7).seal(EVENT, &fields()).unwrap();
        let bytes = STANDARD.decode(&sealed.value).unwrap();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            for value in [&changed[..], &bytes[..at]] {
                let value = STANDARD.encode(value);
                let part = SealedPart {
                    value,
                    ..sealed.clone()
                };
                assert_eq!(key(7).open(EVENT, &part), Err(BadPart::Changed), "{at}");
            }
        }
    }

    #[test]
    fn a_part_opens_for_its_event_person_and_key_alone() {
        let sealed = key(7).seal(EVENT, &fields()).unwrap();
        let other = Uuid::from_u128(9);
        let moved = [
            (other, sealed.clone()),
            (
                EVENT,
                SealedPart {
                    person: UserId(other),
                    ..sealed.clone()
                },
            ),
            (
                EVENT,
                SealedPart {
                    key: other,
                    ..sealed.clone()
                },
            ),
        ];
        for (event, part) in moved {
            assert_eq!(key(7).open(event, &part), Err(BadPart::Changed));
        }
        assert_eq!(key(8).open(EVENT, &sealed), Err(BadPart::Changed));
    }

    #[test]
    fn a_secret_is_read_as_it_is_written_and_not_shown() {
        let secret = Secret::random().unwrap();
        let text = String::from(secret.clone());
        assert_eq!(text.parse::<Secret>().as_ref(), Ok(&secret));
        assert!(!format!("{secret:?}").contains(&text[..8]));
        assert!("c2hvcnQ=".parse::<Secret>().is_err());
    }
}
