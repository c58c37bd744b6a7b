use tiffin_bus::{Failure, seal::SealError};
use tiffin_chassis::{Problem, refusals};

/// The failures of this service, for a client or for a consumer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Seal(#[from] SealError),
    #[error(transparent)]
    Encoding(#[from] serde_json::Error),
}

refusals! {
    /// The reason why nothing changes, in words for the caller.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Refusal {
        NoRestaurant = 404, "restaurant.not-found", "Restaurant not found.";
        NoItem = 404, "restaurant.item-not-found", "Item not found.";
        NoReview = 404, "restaurant.review-not-found", "Review not found.";
        NotYours = 403, "restaurant.not-yours", "This restaurant is not yours.";
        NotYourReview = 403, "restaurant.review-not-yours", "This review is not yours.";
        Closed = 409, "restaurant.closed", "The restaurant is closed; open it first.";
        OwnerBlocked = 409, "restaurant.owner-blocked", "The owner of this restaurant is blocked.";
        NothingToChange = 422, "restaurant.nothing-to-change", "There is nothing to change.";
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
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
