//! Dead letters, and those that an account's deletion waits for.
//!
//! A closed account is forgotten even if a consumer could not handle one of its events. Such a dead letter is
//! discarded in the name of the account that asked for the deletion, and the events behind it go on.

mod listing;

use std::collections::BTreeMap;

use tiffin_bus::{Broker, BrokerError, Cause, DeadLetter, history::Command, read};
use tiffin_events::{
    Envelope, Event, Stream, UserId,
    subject::{self, Subject},
    user::UserEvent,
};
use uuid::Uuid;

use crate::{
    Error, State,
    error::Refusal,
    operation::Operation,
    services,
    store::{events, operations},
};

pub use listing::{DeadLetterCache, DeadLetterCause, ListedLetter, holds_up_deletion, listing};

/// The recorded reason for discarding them.
const CLOSED_ACCOUNT: &str = "The account is closed.";

async fn read_all(broker: &Broker) -> Result<Vec<(u64, DeadLetter)>, BrokerError> {
    let mut window = read::open(broker, Stream::DeadLetters, None, 1, u64::MAX).await?;
    let mut letters = Vec::new();
    loop {
        let batch = window.next().await?;
        if batch.is_empty() {
            return Ok(letters);
        }
        letters.extend(batch.into_iter().filter_map(|logged| {
            let letter = serde_json::from_value(logged.envelope).ok()?;
            Some((logged.seq, letter))
        }));
    }
}

/// The aggregate of a dead letter's event; `None` if its subject names none.
pub fn aggregate(letter: &DeadLetter) -> Option<Uuid> {
    Some(Subject::parse(&letter.subject)?.id)
}

/// True if the dead letter is an account's deletion itself.
pub fn is_deletion(letter: &DeadLetter) -> bool {
    aggregate(letter).is_some_and(|user| {
        letter.subject == subject::event(UserEvent::AGGREGATE, user, UserEvent::DELETED)
    })
}

/// The target of the operation that settles a dead letter.
pub fn target(letter: &DeadLetter) -> String {
    let (consumer, stream, sequence) = (&letter.consumer, &letter.stream, letter.stream_sequence);
    format!("{consumer} {stream}/{sequence}")
}

/// Has the consumer's service settle a dead letter, and returns the sentence that it answers.
pub async fn settle(
    broker: &Broker,
    letter: &DeadLetter,
    command: &Command,
) -> Result<String, Error> {
    let service = services::of_consumer(&letter.consumer)?;
    services::send_for_sentence(broker, service, command).await
}

/// Removes a dead letter from its stream.
pub async fn remove(broker: &Broker, seq: u64) -> Result<(), Error> {
    let handle = broker
        .jetstream
        .get_stream_no_info(Stream::DeadLetters.name())
        .await
        .map_err(BrokerError::from)?;
    let deleted = handle.delete_message(seq).await;
    deleted.map_err(BrokerError::from)?;
    Ok(())
}

/// The dead letters of accounts that were read so far. Others are not kept, and none is read twice.
#[derive(Debug, Default)]
pub struct AccountDeadLetters {
    /// The last stream sequence that was read.
    read: u64,
    letters: BTreeMap<u64, DeadLetter>,
}

impl AccountDeadLetters {
    /// Reads the dead letters that came since.
    async fn catch_up(&mut self, broker: &Broker) -> Result<(), BrokerError> {
        let last = read::last(broker, Stream::DeadLetters).await?;
        if last < self.read {
            // The broker lost the stream, and its sequence began again at 1.
            *self = Self::default();
        }
        if last == self.read {
            return Ok(());
        }
        let mut window = read::open(broker, Stream::DeadLetters, None, self.read + 1, last).await?;
        loop {
            let batch = window.next().await?;
            if batch.is_empty() {
                self.read = last;
                return Ok(());
            }
            let letters = batch.into_iter().filter_map(|logged| {
                let letter = serde_json::from_value(logged.envelope).ok()?;
                Some((logged.seq, letter))
            });
            self.letters
                .extend(letters.filter(|(_, letter)| is_of_account(letter)));
        }
    }
}

/// Discards the dead letters that deletions of accounts wait for.
pub async fn discard_for_closed_accounts(state: &State) -> Result<(), Error> {
    let mut known = state.account_dead_letters.lock().await;
    known.catch_up(&state.broker).await?;
    let mut connection = state.pool.acquire().await?;
    let mut due = Vec::new();
    for (seq, letter) in &known.letters {
        let Some(user) = aggregate(letter) else {
            continue;
        };
        let sequence = i64::try_from(letter.stream_sequence).unwrap_or(i64::MAX);
        if let Some(deletion) = events::deletion_after(&mut connection, user, sequence).await? {
            due.push((*seq, letter.clone(), deletion));
        }
    }
    drop(connection);
    for (seq, letter, deletion) in due {
        // An operator may have settled it meanwhile.
        if read::one(&state.broker, Stream::DeadLetters, seq)
            .await?
            .is_some()
        {
            match discard(state, seq, &letter, &serde_json::from_value(deletion)?).await {
                Ok(()) => {}
                Err(Error::Refused(Refusal::ServiceUnavailable { .. })) => continue,
                Err(error) => return Err(error),
            }
        }
        known.letters.remove(&seq);
    }
    Ok(())
}

fn is_of_account(letter: &DeadLetter) -> bool {
    letter.stream == Stream::Users.name()
        && Subject::parse(&letter.subject).is_some_and(|it| it.aggregate == UserEvent::AGGREGATE)
}

async fn discard(
    state: &State,
    seq: u64,
    letter: &DeadLetter,
    deletion: &Envelope,
) -> Result<(), Error> {
    let command = Command::Discard {
        consumer: letter.consumer.clone(),
        stream_sequence: letter.stream_sequence,
    };
    settle(&state.broker, letter, &command).await?;
    let by = UserId(deletion.actor.parse().unwrap_or(deletion.subject));
    let operation = Operation::done(&state.clock, by, "discard", target(letter), CLOSED_ACCOUNT);
    let mut tx = tiffin_database::begin(&state.pool).await?;
    operations::begin(&mut tx, state, &Cause::event(deletion), &operation).await?;
    tx.commit().await?;
    tracing::info!(
        target = operation.target,
        "dead letter discarded: its account is closed"
    );
    remove(&state.broker, seq).await
}
