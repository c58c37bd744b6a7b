//! The sealed form of personal fields, as an envelope has it beside its payload.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::UserId;

/// The sealed fields of an event, a part for each person. `CloudEvents` allows no list in an extension: a text holds
/// the parts, as `<account>/<key>/<base64>` with a space between two.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(into = "String", try_from = "String")]
#[schemars(with = "String")]
pub struct Sealed(pub Vec<SealedPart>);

/// The sealed fields of one person in an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedPart {
    /// The account that the fields are about.
    pub person: UserId,
    /// The key that they are sealed under.
    pub key: Uuid,
    /// A nonce and the ciphertext of the fields, in base64. Empty where the key was destroyed before.
    pub value: String,
}

/// A text that holds no sealed parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("sealed parts are <account>/<key>/<base64>, with a space between two")]
pub struct SealedText;

/// A field without the account that it is about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: the payload has no account in `{of}`, whose field `{field}` is")]
pub struct NoPerson {
    pub kind: String,
    pub of: String,
    pub field: String,
}

impl Sealed {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, part) in self.0.iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            write!(f, "{space}{}/{}/{}", part.person, part.key, part.value)?;
        }
        Ok(())
    }
}

impl From<Sealed> for String {
    fn from(sealed: Sealed) -> Self {
        sealed.to_string()
    }
}

impl TryFrom<String> for Sealed {
    type Error = SealedText;

    fn try_from(text: String) -> Result<Self, SealedText> {
        text.parse()
    }
}

impl FromStr for Sealed {
    type Err = SealedText;

    fn from_str(text: &str) -> Result<Self, SealedText> {
        let parts = text.split_terminator(' ').map(str::parse);
        parts.collect::<Result<_, _>>().map(Self)
    }
}

impl FromStr for SealedPart {
    type Err = SealedText;

    fn from_str(text: &str) -> Result<Self, SealedText> {
        // Base64 has slashes, too.
        let mut words = text.splitn(3, '/');
        let mut word = || words.next().ok_or(SealedText);
        Ok(Self {
            person: UserId(word()?.parse().map_err(|_| SealedText)?),
            key: word()?.parse().map_err(|_| SealedText)?,
            value: word()?.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(number: u128, value: &str) -> SealedPart {
        SealedPart {
            person: UserId(Uuid::from_u128(number)),
            key: Uuid::from_u128(number + 100),
            value: value.to_owned(),
        }
    }

    #[test]
    fn parts_are_read_as_they_are_written() {
        for parts in [
            vec![],
            vec![part(1, "a/b+c==")],
            vec![part(1, ""), part(2, "/")],
            vec![part(1, "a"), part(2, "")],
        ] {
            let sealed = Sealed(parts);
            assert_eq!(sealed.to_string().parse(), Ok(sealed));
        }
    }

    #[test]
    fn other_texts_are_no_parts() {
        let id = Uuid::nil();
        for text in ["x", "//", &format!("{id}/{id}"), &format!("{id}/x/AA"), " "] {
            assert_eq!(text.parse::<Sealed>(), Err(SealedText), "{text:?}");
        }
    }
}
