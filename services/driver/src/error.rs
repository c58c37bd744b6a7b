use tiffin_bus::{Failure, seal::SealError};
use tiffin_chassis::{Problem, refusals};

/// The failures of this service, for a client or for a consumer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Seal(#[from] SealError),
    #[error(transparent)]
    Encoding(#[from] serde_json::Error),
}

refusals! {
    /// The reason why nothing changes, in words for the caller.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Refusal {
        Unknown = 404, "driver.not-found", "Driver not found.";
        NotYours = 403, "driver.not-yours", "You may only change your own profile.";
        Blocked = 409, "driver.blocked", "The driver is blocked.";
        NothingToChange = 422, "driver.nothing-to-change", "There is nothing to change.";
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Database(error) => error.into(),
            Error::Seal(SealError::Keys(error)) => Self::not_ready(error),
            Error::Seal(error) => Self::internal(error),
            Error::Encoding(error) => error.into(),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Database(error) => error.into(),
            Error::Seal(error) => error.into(),
            other => Self::Reject(other.to_string()),
        }
    }
}
