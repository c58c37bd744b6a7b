//! Tokens that end before their time, as a small stream beside the history: nothing else is published
//! there, so nothing else can fill it, and the user service alone may publish.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::UserId;

/// The stream's name.
pub const STREAM: &str = "REVOCATIONS";

/// The subjects of the stream.
pub const SUBJECTS: &str = "revocation.>";

/// The subject at which the user service reports every few seconds that all its revocations are published.
/// The body is empty.
pub const ALIVE: &str = "revocation.alive";

/// The time that the stream keeps a message: a token's life of 15 minutes and the difference of clocks.
pub const KEPT: Duration = Duration::from_mins(16);

/// Bytes the stream may hold: the last revocation of some 100,000 users. The oldest give way.
pub const MAX_BYTES: i64 = 32 * 1024 * 1024;

/// Ends the tokens of one user that were issued at or before a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Revocation {
    pub user_id: UserId,
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revocation_is_read_as_it_is_written() {
        let revocation = Revocation {
            user_id: UserId(uuid::Uuid::from_u128(7)),
            at: time::macros::datetime!(2026-11-23 09:00:00.123 UTC),
        };
        let text = serde_json::to_string(&revocation).unwrap();
        assert_eq!(
            text,
            r#"{"userId":"00000000-0000-0000-0000-000000000007","at":"2026-11-23T09:00:00.123Z"}"#
        );
        assert_eq!(
            serde_json::from_str::<Revocation>(&text).unwrap(),
            revocation
        );
    }
}
