use tiffin_bus::Failure;
use tiffin_chassis::Problem;

use crate::delivery::Refusal;

/// The failures of this service, for a client or for a consumer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("There is no such delivery.")]
    NotFound,
    #[error("There is no such order.")]
    NoOrder,
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A field of the request with what is wrong with it.
    #[error("{1}")]
    Invalid(&'static str, &'static str),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Encoding(#[from] serde_json::Error),
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match error {
            Error::NotFound | Error::NoOrder => Self::not_found(message),
            Error::Refused(_) => Self::conflict(message),
            Error::Invalid(field, _) => Self::invalid(field, message),
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
