use super::OperationState;
use crate::consume::blocked::SettleRefusal;

/// The reason why a request is impossible. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("the command can't be read: {0}")]
    Command(serde_json::Error),
    #[error("there is no such operation")]
    NoOperation,
    #[error("its row can't be read: {0}")]
    Row(serde_json::Error),
    #[error("{service} has no consumer {consumer}")]
    NoConsumer {
        service: &'static str,
        consumer: String,
    },
    #[error("something is under way for {0} already")]
    UnderWay(String),
    #[error("it is not {}", .0.word())]
    NotInState(OperationState),
    #[error("it is not under way")]
    NotUnderWay,
    #[error("the window from {from} to {to} holds nothing")]
    EmptyWindow { from: u64, to: u64 },
    #[error("the consumer takes {} and nothing of {filter}", taken.join(", "))]
    NotTaken { taken: Vec<String>, filter: String },
    #[error("nothing matches")]
    NothingMatches,
    #[error("a rate of 0 never ends")]
    NoRate,
    #[error("more than {most} events are new to {consumer}")]
    TooMany { most: usize, consumer: String },
    #[error("the database does not count what is written: set track_counts")]
    NoCounts,
    #[error("{0} keeps no read model")]
    NoReadModel(String),
    #[error(
        "{consumer} has not handled {waiting} events of its stream yet; \
         a read model is rebuilt as far as its consumer has come"
    )]
    Behind { consumer: String, waiting: usize },
    #[error("{0} is bound to other tables by a foreign key")]
    ForeignKey(String),
    #[error("there is nothing to go back to")]
    NothingReplaced,
    #[error(transparent)]
    SettleRefusal(#[from] SettleRefusal),
}
