use tiffin_bus::{Failure, seal::SealError};
use tiffin_chassis::Problem;

use crate::{payment::Refusal, refund::BadRefund};

/// The failures of this service, for a client or for a consumer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    BadRefund(#[from] BadRefund),
    /// A stored value that this code can't read.
    #[error("{0}")]
    Unreadable(String),
    /// The charge was interrupted; the reconciler settles the payment.
    #[error("{0}")]
    Interrupted(String),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Seal(#[from] SealError),
    #[error(transparent)]
    Encoding(#[from] serde_json::Error),
}

impl Error {
    /// True if another attempt may succeed, because events of the checkout's orders may be on their way.
    pub(crate) fn is_temporary(&self) -> bool {
        matches!(
            self,
            Self::Refused(Refusal::NotFound | Refusal::Amount { .. } | Refusal::ShareMade)
        )
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::BadRefund(refusal) => refusal.into(),
            Error::Unreadable(message) | Error::Interrupted(message) => Self::internal(message),
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
