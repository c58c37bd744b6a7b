use tiffin_events::Stream;

use super::OperationState;
use crate::consume::blocked::SettleRefusal;

/// The reason why a request is refused. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("the command can't be read: {0}")]
    Command(serde_json::Error),
    #[error("there is no such operation")]
    NoOperation,
    #[error("the row of an operation can't be read: {0}")]
    Row(serde_json::Error),
    #[error("{service} has no consumer {consumer}")]
    NoConsumer {
        service: &'static str,
        consumer: String,
    },
    #[error("something is under way for {0} already")]
    UnderWay(String),
    #[error("the operation is not {}", .0.word())]
    NotInState(OperationState),
    #[error("the operation is not under way: it has ended, or the service does not know it")]
    NotUnderWay,
    #[error(
        "the window from {from} to {to} holds nothing: it must begin at 1 or later and not end before it begins"
    )]
    EmptyWindow { from: u64, to: u64 },
    #[error("the consumer takes {} and nothing of {filter}", taken.join(", "))]
    NotTaken { taken: Vec<String>, filter: String },
    #[error("nothing matches: no event of the consumer is in the window and matches the filter")]
    NothingMatches,
    #[error("a rate of 0 never ends: choose at least 1 event a second")]
    NoRate,
    #[error("more than {most} events are new to {consumer}: choose a smaller window")]
    TooMany { most: usize, consumer: String },
    #[error("the database does not count written rows: set track_counts to on")]
    NoCounts,
    #[error("{0} keeps no read model, so there is nothing to rebuild")]
    NoReadModel(String),
    #[error(
        "{consumer} has not handled {waiting} events of its stream yet; \
         a read model is rebuilt as far as its consumer has come"
    )]
    Behind { consumer: String, waiting: usize },
    #[error("{0} has a foreign key: a read model with one can't be rebuilt")]
    ForeignKey(String),
    #[error("there is nothing to go back to: no rebuild has replaced this read model")]
    NothingReplaced,
    #[error(
        "{stream} ends at {last}, before its archive, which ends at {end}: delete the stream at the broker and \
         republish again, so that it is made behind its archive"
    )]
    BeforeItsArchive { stream: Stream, last: u64, end: u64 },
    #[error(transparent)]
    SettleRefusal(#[from] SettleRefusal),
}
