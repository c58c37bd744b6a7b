//! The dead letters as operators list them: urgent ones first, by cause, with the events that wait behind them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::{Duration, Instant},
};

use serde::Serialize;
use tiffin_bus::{BrokerError, DeadLetter};
use tiffin_events::Stream;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::{aggregate, is_deletion, read_all};
use crate::{Error, State, chain, log, mask, store::events::WaitingEvents};

/// The time after which the events behind dead letters are counted again.
const COUNT_AFTER: Duration = Duration::from_secs(4);
/// The number of digits of a cause's id.
const ID_DIGITS: usize = 16;
/// The length of a UUID in its usual form, and the places of its hyphens.
const UUID_LENGTH: usize = 36;
const UUID_HYPHENS: [usize; 4] = [8, 13, 18, 23];

/// A dead letter with its cause.
#[derive(Debug)]
pub struct ListedLetter {
    pub seq: u64,
    pub letter: DeadLetter,
    /// The consumer's reason without personal values.
    pub reason: String,
    /// The id of its cause.
    pub cause: String,
}

/// A cache of the dead letters: pages ask for them every few seconds, and they seldom change.
#[derive(Debug, Default)]
pub struct DeadLetterCache {
    /// Messages, bytes, and the first and last stream sequence at the time of reading.
    stream: Option<(u64, u64, u64, u64)>,
    letters: Arc<Vec<ListedLetter>>,
    counted: Option<(Instant, Arc<Vec<WaitingEvents>>)>,
}

/// All dead letters with the events that wait behind them, oldest first.
#[derive(Clone, Debug)]
pub struct Listing {
    letters: Arc<Vec<ListedLetter>>,
    behind: Arc<Vec<WaitingEvents>>,
}

/// Dead letters with one cause.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeadLetterCause {
    /// The id of the cause, for the list.
    pub id: String,
    /// The consumer's reason; an ellipsis replaces ids and numbers in which the reasons differ.
    pub cause: String,
    /// The number of dead letters.
    pub count: u64,
    /// The consumers that could not handle them.
    #[schema(value_type = Vec<String>)]
    pub consumers: BTreeSet<String>,
    #[serde(with = "time::serde::rfc3339")]
    pub oldest: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    pub newest: OffsetDateTime,
    /// The number of events that wait behind them.
    pub waiting: i64,
    /// The number of those that an account's deletion waits for.
    pub deletions: u64,
}

/// The dead letters now. Their stream is read only if it has changed since the last call.
pub async fn listing(state: &State) -> Result<Listing, Error> {
    let mut cache = state.dead_letters.lock().await;
    let stream = state
        .broker
        .jetstream
        .get_stream(Stream::DeadLetters.name())
        .await
        .map_err(BrokerError::from)?;
    let now = &stream.cached_info().state;
    let now = (
        now.messages,
        now.bytes,
        now.first_sequence,
        now.last_sequence,
    );
    if cache.stream != Some(now) {
        let letters = if now.0 == 0 {
            Vec::new()
        } else {
            read_all(&state.broker).await?
        };
        *cache = DeadLetterCache {
            stream: Some(now),
            letters: Arc::new(letters.into_iter().map(ListedLetter::from).collect()),
            counted: None,
        };
    }
    let behind = match &cache.counted {
        Some((at, behind)) if at.elapsed() < COUNT_AFTER => Arc::clone(behind),
        _ => {
            let behind = Arc::new(count_behind(state, &cache.letters).await?);
            cache.counted = Some((Instant::now(), Arc::clone(&behind)));
            behind
        }
    };
    Ok(Listing {
        letters: Arc::clone(&cache.letters),
        behind,
    })
}

/// The events behind dead letters, in their order.
async fn count_behind(
    state: &State,
    letters: &[ListedLetter],
) -> Result<Vec<WaitingEvents>, Error> {
    let (mut streams, mut aggregates, mut sequences) = (Vec::new(), Vec::new(), Vec::new());
    for ListedLetter { letter, .. } in letters {
        streams.push(letter.stream.clone());
        aggregates.push(aggregate(letter).unwrap_or_default());
        sequences.push(i64::try_from(letter.stream_sequence).unwrap_or(i64::MAX));
    }
    log::waiting_behind(state, (&streams, &aggregates, &sequences)).await
}

impl Listing {
    /// The dead letters of a cause, or all, with their ranks: those that an account's deletion waits for come first,
    /// then the oldest.
    pub fn ranked(&self, cause: Option<&str>) -> Vec<(i64, &ListedLetter, &WaitingEvents)> {
        let all = self.letters.iter().zip(self.behind.iter());
        let mut ranked: Vec<_> = all
            .filter(|(one, _)| cause.is_none_or(|cause| one.cause == cause))
            .map(|(one, behind)| (rank(one, behind), one, behind))
            .collect();
        ranked.sort_by_key(|(rank, ..)| *rank);
        ranked
    }

    /// The causes, in the order of their first dead letters.
    pub fn causes(&self) -> Vec<DeadLetterCause> {
        let mut causes: Vec<DeadLetterCause> = Vec::new();
        let mut places = BTreeMap::new();
        for (_, one, behind) in self.ranked(None) {
            let place = *places.entry(one.cause.as_str()).or_insert(causes.len());
            if place == causes.len() {
                causes.push(DeadLetterCause::of(one));
            }
            causes[place].add(one, behind);
        }
        causes
    }
}

/// True if an account's deletion waits for a dead letter, or it is one.
pub fn holds_up_deletion(one: &ListedLetter, behind: &WaitingEvents) -> bool {
    behind.has_deletion || is_deletion(&one.letter)
}

/// The place in the list: the sequence, below zero where an account's deletion waits.
fn rank(one: &ListedLetter, behind: &WaitingEvents) -> i64 {
    let seq = i64::try_from(one.seq).unwrap_or(i64::MAX);
    if holds_up_deletion(one, behind) {
        seq.saturating_sub(i64::MAX)
    } else {
        seq
    }
}

impl From<(u64, DeadLetter)> for ListedLetter {
    fn from((seq, letter): (u64, DeadLetter)) -> Self {
        let (_, reason) = mask::content_of_letter(&letter.body, letter.reason.clone());
        let mut cause = chain::hash(without_ids(&reason).as_bytes());
        cause.truncate(ID_DIGITS);
        Self {
            seq,
            letter,
            reason,
            cause,
        }
    }
}

impl DeadLetterCause {
    fn of(first: &ListedLetter) -> Self {
        Self {
            id: first.cause.clone(),
            cause: first.reason.clone(),
            count: 0,
            consumers: BTreeSet::new(),
            oldest: first.letter.time,
            newest: first.letter.time,
            waiting: 0,
            deletions: 0,
        }
    }

    fn add(&mut self, one: &ListedLetter, behind: &WaitingEvents) {
        if self.cause != one.reason {
            self.cause = without_ids(&one.reason);
        }
        self.count += 1;
        self.consumers.insert(one.letter.consumer.clone());
        self.oldest = self.oldest.min(one.letter.time);
        self.newest = self.newest.max(one.letter.time);
        self.waiting += behind.waiting;
        self.deletions += u64::from(holds_up_deletion(one, behind));
    }
}

/// The part of a reason that does not differ from event to event: each id and number is an ellipsis.
fn without_ids(reason: &str) -> String {
    let mut text = String::with_capacity(reason.len());
    let mut rest = reason;
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if rest.get(..UUID_LENGTH).is_some_and(is_uuid) {
            text.push('…');
            rest = &rest[UUID_LENGTH..];
        } else if digits > 0 {
            text.push('…');
            rest = &rest[digits..];
        } else {
            text.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    text
}

fn is_uuid(text: &str) -> bool {
    text.bytes().enumerate().all(|(at, byte)| {
        if UUID_HYPHENS.contains(&at) {
            byte == b'-'
        } else {
            byte.is_ascii_hexdigit()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::without_ids;

    #[test]
    fn ids_and_numbers_are_left_out_of_a_cause() {
        let reason = "Order 0190a3b2-1111-7222-8333-444455556666 has 12 dishes, für 3 Gäste";
        assert_eq!(without_ids(reason), "Order … has … dishes, für … Gäste");
        assert_eq!(without_ids("no number"), "no number");
        assert_eq!(without_ids(""), "");
        assert_eq!(without_ids("a1b22-x"), "a…b…-x");
    }
}
