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
    #[error("Restaurant not found.")]
    NoRestaurant,
    #[error("Item not found.")]
    NoItem,
    #[error("Review not found.")]
    NoReview,
    #[error("This restaurant is not yours.")]
    NotYours,
    #[error("This review is not yours.")]
    NotYourReview,
    #[error("The owner of this restaurant is blocked.")]
    OwnerBlocked,
    #[error("There is nothing to change.")]
    NothingToChange,
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let message = refusal.to_string();
        match refusal {
            Refusal::NoRestaurant | Refusal::NoItem | Refusal::NoReview => Self::not_found(message),
            Refusal::NotYours | Refusal::NotYourReview => Self::forbidden(message),
            Refusal::OwnerBlocked => Self::conflict(message),
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
