use std::{sync::Arc, time::Duration};

use tiffin_chassis::{Problem, refusal::Failure, refusals, storage};

/// The time after which a client may come back to a busy service.
const RETRY: Duration = Duration::from_secs(5);

/// The failures of this service.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// More uploads than the limit; another may come after this long.
    #[error("too many uploads for {0:?}")]
    TooMany(Duration),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Storage(#[from] storage::Error),
    /// A picture that was fine when it was uploaded can't be rendered.
    #[error("a picture can't be rendered: {0}")]
    Rendering(String),
    /// A rendering that several requests wait for failed.
    #[error(transparent)]
    Shared(Arc<Self>),
}

refusals! {
    /// The reason why nothing changes, in words for the caller.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Refusal {
        NoPicture = 404, "media.not-found", "Picture not found.";
        NotYours = 403, "media.not-yours", "This picture is not yours.";
        NameTaken = 409, "media.name-taken", "The resource already exists";
        BadName =
            422, "media.name-invalid",
            "The name must have 1 to 255 characters, without slashes, line breaks and other control characters.", at "name";
        NoFile = 422, "media.file-required", "no file selected";
        BadForm = 400, "media.upload-unreadable", "The upload can't be read.";
        TooLarge = 413, "media.too-large", "A picture may have at most 5 MiB.";
        TooManyPixels = 413, "media.too-many-pixels", "A picture may have at most 40 megapixels.";
        WrongKind = 415, "media.wrong-kind", "Only JPEG, PNG, WebP and GIF pictures are taken.";
        Unreadable = 422, "media.damaged", "The picture is damaged and can't be read.";
        TooMany =
            429, "media.too-many-uploads",
            "Too many pictures were uploaded. Please try again later.";
        Busy =
            503, "media.busy",
            "Too many pictures are being worked on. Please try again in a moment.";
        TooSlow = 408, "media.too-slow", "The upload is too slow. Please try again.";
        Width =
            422, "media.width-out-of-range", "The width must be between 1 and 4096.", at "width";
        TooManyNames =
            422, "media.too-many-names",
            "At most 1000 pictures can be removed at once.", at "prefixes";
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let problem = match error {
            Error::Refused(Refusal::Busy) => Self::from(Refusal::Busy).retry_after(RETRY),
            Error::Refused(refusal) => refusal.into(),
            Error::TooMany(wait) => Self::from(Refusal::TooMany).retry_after(wait),
            Error::Database(error) => error.into(),
            Error::Storage(error) => {
                tracing::error!(%error, "the store of pictures fails");
                Failure::NotReady.into()
            }
            Error::Shared(error) => match &*error {
                Error::Refused(Refusal::Busy) => Self::from(Refusal::Busy).retry_after(RETRY),
                Error::Refused(refusal) => (*refusal).into(),
                Error::TooMany(wait) => Self::from(Refusal::TooMany).retry_after(*wait),
                Error::Rendering(_) => Self::internal(error),
                Error::Database(_) | Error::Storage(_) | Error::Shared(_) => {
                    tracing::error!(%error, "a rendition can't be rendered");
                    Failure::NotReady.into()
                }
            },
            Error::Rendering(_) => Self::internal(error),
        };
        for_stock_client(problem)
    }
}

/// Adds the status as a text. The stock storage client reads `statusCode`, and `code` where that is missing.
pub fn for_stock_client(problem: Problem) -> Problem {
    let status = problem.status.as_str().to_owned();
    problem.with_extension("statusCode", &status)
}
