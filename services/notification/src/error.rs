use tiffin_bus::{Failure, seal::SealError};
use tiffin_chassis::{Problem, refusals};

/// The reasons why a notification is not created or changed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("the database refused: {0}")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Seal(#[from] SealError),
    #[error("a stored value can't be read: {0}")]
    Unreadable(String),
    #[error("a key can't be made or read: {0}")]
    Crypto(String),
    #[error("an event can't be written: {0}")]
    Event(#[from] serde_json::Error),
}

refusals! {
    /// The reason why nothing is sent or marked, in words for the caller.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Refusal {
        Unknown = 404, "notification.not-found", "There is no such notification.";
        NoOrder = 404, "notification.order-not-found", "There is no such order.";
        Status =
            422, "notification.status-unknown",
            "The status must be picked up, on the way or delivered.", at "status";
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Database(error) => Self::from(error),
            Error::Seal(SealError::Keys(error)) => Self::not_ready(error),
            Error::Seal(error) => Self::internal(error),
            Error::Event(error) => Self::from(error),
            Error::Unreadable(_) | Error::Crypto(_) => Self::internal(error),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Database(error) => error.into(),
            Error::Seal(error) => error.into(),
            Error::Refused(refusal) => Self::Retry(refusal.to_string()),
            Error::Unreadable(_) | Error::Crypto(_) | Error::Event(_) => {
                Self::Reject(error.to_string())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tiffin_bus::Failure;

    use super::Error;

    #[test]
    fn a_database_that_is_away_is_not_the_events_fault() {
        let away = Error::Database(sqlx::Error::PoolTimedOut);
        assert!(matches!(Failure::from(away), Failure::Outage(_)));
    }
}
