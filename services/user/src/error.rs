use tiffin_chassis::Problem;

use crate::{inquiry::InquiryRefusal, seal::SealError, user::Refusal};

/// The reason why an account was not changed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Inquiry(#[from] InquiryRefusal),
    #[error("Email Already Added")]
    EmailTaken,
    /// The machine has more passwords to check than it can.
    #[error("Too many people are signing in. Please try again in a moment.")]
    Busy,
    #[error("the database refused: {0}")]
    Database(sqlx::Error),
    #[error("a stored value can't be read: {0}")]
    Stored(String),
    #[error("a cryptographic operation failed: {0}")]
    Crypto(String),
    #[error("an event can't be written: {0}")]
    Event(#[from] serde_json::Error),
}

impl From<SealError> for Error {
    fn from(error: SealError) -> Self {
        Self::Crypto(error.to_string())
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let constraint = error
            .as_database_error()
            .and_then(|error| error.constraint());
        if constraint == Some("users_email_key") {
            Self::EmailTaken
        } else {
            Self::Database(error)
        }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match error {
            Error::Refused(Refusal::Unknown) | Error::Inquiry(InquiryRefusal::Unknown) => {
                Self::not_found(message)
            }
            Error::Refused(Refusal::BlocksOneself)
            | Error::Inquiry(InquiryRefusal::NotTheAuthor | InquiryRefusal::NotAnAdmin) => {
                Self::forbidden(message)
            }
            Error::Refused(
                Refusal::AlreadyVerified | Refusal::LastAdmin | Refusal::OrderUnderWay,
            )
            | Error::EmailTaken => Self::conflict(message),
            Error::Busy => Self::unavailable(message),
            Error::Database(error) => Self::from(error),
            Error::Stored(_) | Error::Crypto(_) | Error::Event(_) => Self::internal(message),
        }
    }
}
