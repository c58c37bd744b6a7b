use tiffin_bus::{Failure, seal::SealError};
use tiffin_chassis::Problem;

use crate::{delivery::Refusal, suggestion};

/// The failures of this service, for a client or for a consumer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    NotPicked(#[from] suggestion::NotPicked),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Seal(#[from] SealError),
    #[error(transparent)]
    Encoding(#[from] serde_json::Error),
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::NotPicked(refusal) => refusal.into(),
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
