use tiffin_events::{DecodeError, JsonFault};

use super::{malformed::Malformed, received::Unread};
use crate::seal::{KeysError, SealError};

/// The reason why an event was not handled. The consumer's loop decides on back-off and dead letters.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A dependency of every event fails. The event is not at fault, and the attempt does not count.
    #[error(transparent)]
    Outage(Outage),
    /// It may succeed later: a row that it needs has not come yet.
    #[error("{0}")]
    Retry(String),
    /// Its type is newer than this process: it waits for one that knows it, for as long as that takes.
    #[error("{0} is a type that this process does not know")]
    UnknownType(String),
    /// It will never succeed.
    #[error("{0}")]
    Reject(String),
}

/// A dependency of every event that is missing.
#[derive(Debug, thiserror::Error)]
pub enum Outage {
    #[error(transparent)]
    Database(sqlx::Error),
    #[error(transparent)]
    Keys(#[from] KeysError),
}

impl From<KeysError> for Failure {
    fn from(error: KeysError) -> Self {
        Self::Outage(error.into())
    }
}

impl From<SealError> for Failure {
    fn from(error: SealError) -> Self {
        match error {
            SealError::Keys(error) => error.into(),
            other => Self::Reject(other.to_string()),
        }
    }
}

impl From<Unread> for Failure {
    fn from(error: Unread) -> Self {
        match error {
            Unread::Malformed(error) => error.into(),
            Unread::Keys(error) => error.into(),
        }
    }
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        if is_outage(&error) {
            Self::Outage(Outage::Database(error))
        } else {
            Self::Retry(error.to_string())
        }
    }
}

impl From<DecodeError> for Failure {
    fn from(error: DecodeError) -> Self {
        Self::Reject(error.to_string())
    }
}

impl From<Malformed> for Failure {
    fn from(error: Malformed) -> Self {
        Self::Reject(error.to_string())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Reject(JsonFault::from(error).to_string())
    }
}

/// Classes of errors, and single ones, that are no event's fault.
const OUTAGES: [&str; 9] = [
    "08", "25006", "40", "42703", "42P01", "53", "55P03", "57", "58",
];

/// True if the database or the deployment is at fault and not the event: connections (class 08), a
/// read-only server (25006), transactions that rolled each other back (40), resources (53), a lock time-out
/// (55P03), an operator's stop (57), the disk (58), a missing table or column (42P01, 42703: this process
/// is older or newer than the tables), or no server at all. See
/// <https://www.postgresql.org/docs/18/errcodes-appendix.html>.
fn is_outage(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(error) => error
            .code()
            .is_some_and(|code| OUTAGES.iter().any(|class| code.starts_with(class))),
        _ => false,
    }
}
