//! Skips events that the consumer has handled in a round of a replay. One query finds the handled sequences
//! of many aggregates, and handled events are not decoded further.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use sqlx::PgPool;
use uuid::Uuid;

use super::{Control, ControlError};
use crate::{
    Consumer, Failure, Received,
    consume::{
        apply::{self, sequence_of},
        received::{StoredMessage, Unopened},
        stream_reader::StreamReader,
    },
    seal::Keys,
};

/// Aggregates whose last handled sequence is remembered.
const MAX_REMEMBERED: usize = 200_000;
/// Events that are read before others of the process have their turn.
const YIELD_AFTER: usize = 500;

/// Messages that are handed over together, all by their stream sequences.
pub(super) struct Round {
    pub last: u64,
    pub new: Vec<Received>,
    /// Stream sequences that were handled before.
    pub handled: Vec<u64>,
    /// Messages that can't be decoded, with the reason.
    pub unreadable: Vec<(u64, String)>,
}

impl Round {
    pub(super) fn messages(&self) -> usize {
        self.new.len() + self.handled.len() + self.unreadable.len()
    }
}

/// The remaining rounds. It owns its data, so that it can read on while a round is handed over.
pub(super) struct Rounds {
    pool: PgPool,
    keys: Keys,
    consumer: String,
    reader: StreamReader,
    /// The mark of the replay's events.
    mark: Arc<str>,
    /// The consumer's known progress in each aggregate. It may be further by now.
    reached: HashMap<Uuid, i64>,
}

impl Rounds {
    pub(super) fn new(
        control: &Control,
        consumer: &Consumer,
        operation: Uuid,
        reader: StreamReader,
    ) -> Self {
        Self {
            pool: control.pool.clone(),
            keys: control.broker.keys.clone(),
            consumer: consumer.name.clone(),
            reader,
            mark: operation.to_string().into(),
            reached: HashMap::new(),
        }
    }

    /// The next round, of `size` messages or a few more; `None` at the end.
    pub(super) async fn next(&mut self, size: usize) -> Result<Option<Round>, ControlError> {
        let messages = self.reader.next(size).await?;
        let Some(last) = messages.last().map(|message| message.stream_sequence) else {
            return Ok(None);
        };
        let sequences: Vec<_> = messages
            .iter()
            .map(StoredMessage::aggregate_and_sequence)
            .collect();
        self.look_up(&sequences).await?;
        let mut round = Round {
            last,
            new: Vec::with_capacity(messages.len()),
            handled: Vec::new(),
            unreadable: Vec::new(),
        };
        let (mut new, mut places) = (Vec::new(), Vec::new());
        for (n, (message, sequence)) in messages.into_iter().zip(sequences).enumerate() {
            if n.is_multiple_of(YIELD_AFTER) {
                tokio::task::yield_now().await;
            }
            let stream_sequence = message.stream_sequence;
            if sequence.is_some_and(|sequence| !self.is_behind(sequence)) {
                round.handled.push(stream_sequence);
                continue;
            }
            match message.read() {
                Ok(event) => {
                    new.push(event);
                    places.push(stream_sequence);
                }
                Err(error) => round.unreadable.push((stream_sequence, error.to_string())),
            }
        }
        let opened = Unopened::open_all(new, &self.keys).await;
        for (event, stream_sequence) in opened.map_err(Failure::from)?.into_iter().zip(places) {
            match event {
                Ok(event) => round.new.push(Received {
                    replay: Some(self.mark.clone()),
                    ..event
                }),
                Err(error) => round.unreadable.push((stream_sequence, error.to_string())),
            }
        }
        Ok(Some(round))
    }

    /// Looks up the aggregates that the consumer is not known to be so far with.
    async fn look_up(&mut self, sequences: &[Option<(Uuid, i64)>]) -> sqlx::Result<()> {
        if self.reached.len() > MAX_REMEMBERED {
            self.reached.clear();
        }
        let behind = sequences.iter().flatten().copied();
        let behind = behind.filter(|sequence| self.is_behind(*sequence));
        let behind: HashSet<Uuid> = behind.map(|(aggregate, _)| aggregate).collect();
        let reached = apply::handled_sequences(&self.pool, &self.consumer, behind).await?;
        self.reached.extend(reached);
        Ok(())
    }

    fn is_behind(&self, (aggregate, sequence): (Uuid, i64)) -> bool {
        sequence_of(&self.reached, aggregate) < sequence
    }
}
