use tiffin_bus::Failure;
use tiffin_chassis::Problem;

use crate::{cart::CartError, order::Refusal};

/// The failures of this service, for a client or for a consumer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("There is no such order.")]
    NotFound,
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("Too many of your orders are not paid yet. Please pay or cancel some of them first.")]
    TooManyUnpaid,
    #[error(transparent)]
    Cart(#[from] CartError),
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
            Error::NotFound | Error::Refused(Refusal::Deleted) => Self::not_found(message),
            Error::Refused(Refusal::NoDriver) => Self::invalid("driverId", message),
            Error::Refused(Refusal::CancelInstead) => Self::invalid("status", message),
            Error::Refused(_)
            | Error::TooManyUnpaid
            | Error::Cart(CartError::Closed | CartError::OutOfStock(_)) => Self::conflict(message),
            Error::Cart(CartError::Quantity { line }) => {
                Self::invalid(format!("orderItem[{line}].qty"), message)
            }
            Error::Cart(CartError::Unknown { line, .. }) => {
                Self::invalid(format!("orderItem[{line}].key"), message)
            }
            Error::Cart(_) => Self::invalid("orderItem", message),
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
