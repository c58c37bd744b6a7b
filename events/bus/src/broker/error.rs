use std::{
    fmt::{Debug, Display},
    io,
};

use async_nats::{StatusCode, UnsubscribeError};
use tiffin_archive::ArchiveError;
use tiffin_events::Stream;

/// A failure of the broker. Its text is for operators.
#[derive(Debug, thiserror::Error)]
pub enum BrokerError {
    /// The text is not the address of a server, nor a list of them.
    #[error("address {place}: {error}")]
    Address { place: usize, error: io::Error },
    /// The client library could not do what was asked of it.
    #[error(transparent)]
    Client(#[from] async_nats::Error),
    #[error(transparent)]
    Unsubscribe(#[from] UnsubscribeError),
    /// A body is not the JSON that was expected.
    #[error(transparent)]
    Body(#[from] serde_json::Error),
    /// The archive of what its streams no longer hold.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// Messages that neither the stream nor the archive holds.
    #[error(
        "{stream} gave up {from} to {to}, and the archive does not hold them: TIFFIN_ARCHIVE must name the archive that \
         they moved to"
    )]
    NotArchived { stream: Stream, from: u64, to: u64 },
    #[error("not connected")]
    NotConnected,
    #[error("the broker does not answer")]
    Silent,
    /// The source of messages ended, though there may be more.
    #[error("{0} ended")]
    Ended(&'static str),
    /// The broker's refusal, in its words.
    #[error("{0}")]
    Refused(String),
    #[error("the audience bucket answers {0}")]
    Bucket(StatusCode),
    #[error("{0} changes too fast to be counted")]
    Uncountable(Stream),
    /// A service's answer does not fit the command.
    #[error("{service} answered {answer}")]
    Unexpected { service: String, answer: String },
}

impl<Kind> From<async_nats::error::Error<Kind>> for BrokerError
where
    Kind: Clone + Debug + Display + PartialEq + Send + Sync + 'static,
{
    fn from(error: async_nats::error::Error<Kind>) -> Self {
        Self::Client(error.into())
    }
}
