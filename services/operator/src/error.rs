use tiffin_bus::{BrokerError, Failure};
use tiffin_chassis::Problem;
use tiffin_events::Stream;
use uuid::Uuid;

/// The failures of this service, for a client or for a consumer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Broker(#[from] BrokerError),
    #[error(transparent)]
    Encoding(#[from] serde_json::Error),
    /// An event handler failed.
    #[error(transparent)]
    Handler(#[from] Failure),
}

/// The reasons why a request is refused, in words for the caller.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("There is no stream {0}.")]
    NoStream(String),
    #[error("There is no event there.")]
    NoEvent,
    #[error("There is no such order.")]
    NoOrder,
    #[error("There is no consumer {0}.")]
    NoConsumer(String),
    /// The consumer copies events and does not record which ones it has handled.
    #[error("{0} only copies its stream: there is nothing to replay to it.")]
    TakesNoReplays(String),
    #[error("There is no such replay.")]
    NoReplay,
    #[error("There is no such dead letter.")]
    NoLetter,
    #[error("Say why.")]
    NoReason,
    #[error("{0}")]
    Invalid(String),
    /// The audit records actions of this platform only.
    #[error("{0} takes no import.")]
    TakesNoImports(Stream),
    #[error("{0} is not empty: an import fills a stream that was empty when it began.")]
    NotEmpty(Stream),
    #[error("Another import fills {0}.")]
    ImportOfAnother(Stream),
    #[error("The import {0} has ended.")]
    ImportEnded(Uuid),
    /// The stream has events after this stream sequence that the import did not store.
    #[error("Something else was published to {0} behind {1}: the import has ended.")]
    ImportDisturbed(Stream, u64),
    #[error("{0} can only be verified.")]
    OnlyVerified(String),
    /// There are too many events to go on without a confirmation.
    #[error("{0} events match. Type {0} to confirm.")]
    Unconfirmed(u64),
    /// The refusal of the consumer's service, in its words.
    #[error("{0}")]
    ByService(String),
    #[error("The {0} service does not answer.")]
    Away(String),
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let message = refusal.to_string();
        match refusal {
            Refusal::NoStream(_)
            | Refusal::NoEvent
            | Refusal::NoOrder
            | Refusal::NoConsumer(_)
            | Refusal::NoReplay
            | Refusal::NoLetter => Self::not_found(message),
            Refusal::NoReason => Self::invalid("reason", message),
            Refusal::Invalid(_) => Self::unprocessable(message),
            Refusal::Unconfirmed(matched) => {
                Self::unprocessable(message).with_extension("matched", &matched)
            }
            Refusal::ByService(_)
            | Refusal::TakesNoReplays(_)
            | Refusal::TakesNoImports(_)
            | Refusal::NotEmpty(_)
            | Refusal::ImportOfAnother(_)
            | Refusal::ImportEnded(_)
            | Refusal::ImportDisturbed(..)
            | Refusal::OnlyVerified(_) => Self::conflict(message),
            Refusal::Away(_) => Self::unavailable(message),
        }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Database(error) => error.into(),
            Error::Encoding(error) => error.into(),
            Error::Broker(error) => Self::unavailable(error.to_string()),
            Error::Handler(failure) => Self::unavailable(failure.to_string()),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Database(error) => error.into(),
            Error::Handler(failure) => failure,
            other => Self::Reject(other.to_string()),
        }
    }
}
