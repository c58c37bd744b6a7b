use tiffin_bus::Failure;
use tiffin_chassis::Problem;

/// The failures of this service, for a client or for a consumer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Encoding(#[from] serde_json::Error),
}

/// The reason why nothing changes, in words for the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("Driver not found.")]
    Unknown,
    #[error("You may only change your own profile.")]
    NotYours,
    #[error("The driver is blocked.")]
    Blocked,
    #[error("There is nothing to change.")]
    NothingToChange,
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let message = refusal.to_string();
        match refusal {
            Refusal::Unknown => Self::not_found(message),
            Refusal::NotYours => Self::forbidden(message),
            Refusal::Blocked => Self::conflict(message),
            Refusal::NothingToChange => Self::unprocessable(message),
        }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Database(error) => error.into(),
            Error::Encoding(error) => error.into(),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Database(error) => error.into(),
            other => Self::Reject(other.to_string()),
        }
    }
}
