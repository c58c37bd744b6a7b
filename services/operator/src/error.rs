use tiffin_archive::ArchiveError;
use tiffin_bus::{BrokerError, Failure, seal::SealError};
use tiffin_chassis::{Problem, refusals};
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
    Seal(#[from] SealError),
    #[error(transparent)]
    Broker(#[from] BrokerError),
    #[error(transparent)]
    Encoding(#[from] serde_json::Error),
    /// An event handler failed.
    #[error(transparent)]
    Handler(#[from] Failure),
}

refusals! {
    /// The reasons why a request is refused, in words for the caller.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Refusal {
        NoStream { name: String } = 404, "operator.stream-not-found", "There is no stream {name}.";
        NoEvent { stream: Stream, seq: i64 } =
            404, "operator.event-not-found", "There is no event {stream}/{seq}.";
        NoArchive =
            404, "operator.no-archive", "There is no archive: TIFFIN_ARCHIVE names none.";
        NoOrder { order: String } = 404, "operator.order-not-found", "There is no order {order}.";
        NoConsumer { name: String } =
            404, "operator.consumer-not-found", "There is no consumer {name}.";
        NoService { name: String } =
            404, "operator.service-not-found", "There is no service {name} that publishes events.";
        NoReplay { id: String } =
            404, "operator.replay-not-found", "There is no replay or other operation {id}.";
        NoDeadLetter { seq: String } =
            404, "operator.dead-letter-not-found",
            "There is no dead letter {seq}: it may be settled already.";
        NoReason =
            422, "operator.reason-required", "Give a reason of 1 to 500 characters.", at "reason";
        NothingMatches =
            422, "operator.nothing-matches", "No event matches: widen the window or the filter.";
        BadLine { line: usize, reason: String } =
            422, "operator.line-refused", "Line {line}: {reason}";
        DoesNotRead { consumer: String, stream: Stream } =
            422, "operator.consumer-reads-other",
            "{consumer} does not read {stream}: choose the stream that it is named after.";
        EventUnreadable { seq: u64 } =
            422, "operator.event-unreadable",
            "Dead letter {seq} holds no event that can be corrected: discard it.";
        /// The consumer copies events and does not record which ones it has handled.
        TakesNoReplays { consumer: String } =
            409, "operator.takes-no-replays",
            "{consumer} only copies its stream: there is nothing to replay to it.";
        /// The audit records operations of this platform only.
        TakesNoImports { stream: Stream } =
            409, "operator.takes-no-imports",
            "{stream} takes no imports: it records the operations of this platform only.";
        NotEmpty { stream: Stream } =
            409, "operator.stream-not-empty",
            "{stream} is not empty: an import fills a stream that was empty when it began.";
        ImportOfAnother { stream: Stream } =
            409, "operator.import-of-another",
            "Another import into {stream} is open: wait until it has ended.";
        ImportEnded { id: Uuid } = 409, "operator.import-ended", "The import {id} has ended.";
        /// The stream has events after this stream sequence that the import did not store.
        ImportDisturbed { stream: Stream, seq: u64 } =
            409, "operator.import-disturbed",
            "Another event was published to {stream} after {seq}: the import has ended.";
        OnlyVerified { name: String } =
            409, "operator.only-verified", "{name} can only be verified.";
        HasEnded { id: Uuid } =
            409, "operator.replay-over", "The operation {id} has ended already: it can't be cancelled.";
        OnlyCancelled { id: Uuid } =
            409, "operator.replay-only-stopped",
            "The operation {id} can't be paused or resumed, only cancelled.";
        LogBusy =
            409, "operator.event-log-busy",
            "A rebuild or check of the event log is under way already: wait until it has ended.";
        ArchiveBusy =
            409, "operator.archive-busy",
            "Old events are being archived already: wait until that has ended.";
        /// There are too many events to go on without a confirmation.
        Unconfirmed { matched: u64 } =
            422, "operator.unconfirmed", "{matched} events match. Type {matched} to confirm.";
        /// The refusal of the consumer's service, in its words.
        ByService { reason: String } = 409, "operator.refused-by-service", "{reason}";
        ServiceUnavailable { service: String } =
            503, "operator.service-away", "The {service} service does not answer: try again once it runs.";
        Broker { reason: String } = 503, "operator.broker-away", "{reason}";
    }
}

impl From<ArchiveError> for Error {
    fn from(error: ArchiveError) -> Self {
        Self::Broker(error.into())
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(Refusal::Unconfirmed { matched }) => {
                Self::from(Refusal::Unconfirmed { matched }).with_extension("matched", &matched)
            }
            Error::Refused(refusal) => refusal.into(),
            Error::Database(error) => error.into(),
            Error::Encoding(error) => error.into(),
            Error::Seal(SealError::Keys(error)) => Self::not_ready(error),
            Error::Seal(error) => Self::internal(error),
            Error::Broker(error) => Refusal::Broker {
                reason: error.to_string(),
            }
            .into(),
            Error::Handler(failure) => Refusal::Broker {
                reason: failure.to_string(),
            }
            .into(),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Database(error) => error.into(),
            Error::Seal(error) => error.into(),
            Error::Handler(failure) => failure,
            other => Self::Reject(other.to_string()),
        }
    }
}
