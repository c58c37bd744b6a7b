use std::{sync::Arc, time::Duration};

use ::http::StatusCode;
use tiffin_chassis::Problem;

use crate::limits::MOST_PIXELS;

/// The time after which a client may come back to a busy service.
const RETRY: Duration = Duration::from_secs(5);

/// The failures of this service.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Storage(#[from] object_store::Error),
    /// A picture that was fine when it was uploaded can't be drawn.
    #[error("a picture can't be drawn: {0}")]
    Drawing(String),
    /// A drawing that several requests wait for failed.
    #[error(transparent)]
    Shared(Arc<Self>),
}

/// The reason why nothing changes, in words for the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("Picture not found.")]
    NoPicture,
    #[error("This picture is not yours.")]
    NotYours,
    #[error("The resource already exists")]
    NameTaken,
    #[error(
        "The name must have 1 to 255 characters, without slashes, line breaks and other control characters."
    )]
    BadName,
    #[error("no file selected")]
    NoFile,
    #[error("The upload can't be read.")]
    BadForm,
    #[error("A picture may have at most 5 MiB.")]
    TooLarge,
    #[error("A picture may have at most {} megapixels.", MOST_PIXELS / 1_000_000)]
    TooManyPixels,
    #[error("Only JPEG, PNG, WebP and GIF pictures are taken.")]
    WrongKind,
    #[error("The picture is damaged and can't be read.")]
    Unreadable,
    #[error("Too many pictures were uploaded. Please try again later.")]
    TooMany(Duration),
    #[error("Too many pictures are being worked on. Please try again in a moment.")]
    Busy,
    #[error("The upload is too slow. Please try again.")]
    TooSlow,
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let message = refusal.to_string();
        match refusal {
            Refusal::NoPicture => Self::not_found(message),
            Refusal::NotYours => Self::forbidden(message),
            Refusal::NameTaken => Self::conflict(message),
            Refusal::BadName => Self::invalid("name", message),
            Refusal::NoFile | Refusal::Unreadable => Self::unprocessable(message),
            Refusal::BadForm => Self::bad_request(message),
            Refusal::TooLarge | Refusal::TooManyPixels => {
                Self::new(StatusCode::PAYLOAD_TOO_LARGE, message)
            }
            Refusal::WrongKind => Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message),
            Refusal::TooMany(wait) => Self::too_many(message, wait),
            Refusal::Busy => Self {
                retry_after: Some(RETRY),
                ..Self::unavailable(message)
            },
            Refusal::TooSlow => Self::new(StatusCode::REQUEST_TIMEOUT, message),
        }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Database(error) => error.into(),
            Error::Storage(error) => {
                tracing::error!(%error, "the store of pictures fails");
                Self::unavailable("The service is not ready. Please try again in a moment.")
            }
            Error::Shared(error) => match &*error {
                Error::Refused(refusal) => (*refusal).into(),
                Error::Drawing(_) => Self::internal(error),
                Error::Database(_) | Error::Storage(_) | Error::Shared(_) => {
                    tracing::error!(%error, "a rendition can't be drawn");
                    Self::unavailable("The service is not ready. Please try again in a moment.")
                }
            },
            Error::Drawing(_) => Self::internal(error),
        }
    }
}
