use tiffin_bus::seal::{KeysError, SealError as SealingError};
use tiffin_chassis::{Problem, refusal::Failure, storage};

use crate::{inquiry::InquiryRefusal, seal::SealError, user::Refusal};

/// The reason why an account was not changed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Inquiry(#[from] InquiryRefusal),
    #[error("the database refused: {0}")]
    Database(sqlx::Error),
    #[error("a stored value can't be read: {0}")]
    Unreadable(String),
    #[error("a cryptographic operation failed: {0}")]
    Crypto(String),
    #[error("an event can't be written: {0}")]
    Event(#[from] serde_json::Error),
    #[error("an event can't be written: {0}")]
    Sealing(#[from] SealingError),
    #[error("the store of copies fails: {0}")]
    Storage(#[from] storage::Error),
}

impl From<SealError> for Error {
    fn from(error: SealError) -> Self {
        Self::Crypto(error.to_string())
    }
}

impl From<KeysError> for Error {
    fn from(error: KeysError) -> Self {
        Self::Sealing(error.into())
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let constraint = error
            .as_database_error()
            .and_then(|error| error.constraint());
        if constraint == Some("users_email_key") {
            Refusal::EmailTaken.into()
        } else {
            Self::Database(error)
        }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Inquiry(refusal) => refusal.into(),
            Error::Database(error) => Self::from(error),
            Error::Storage(error) => {
                tracing::error!(%error, "the store of copies fails");
                Failure::NotReady.into()
            }
            Error::Sealing(SealingError::Keys(error)) => Self::not_ready(error),
            Error::Unreadable(_) | Error::Crypto(_) | Error::Event(_) | Error::Sealing(_) => {
                Self::internal(error)
            }
        }
    }
}
