//! What is new in a round of a replay: what the consumer has handled is known by its version, one look
//! for many, and read no further.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use super::{Control, ControlError, selection::Reader};
use crate::{
    Consumer, Received,
    apply::{self, version_of},
    received::Stored,
};

/// Aggregates whose version is remembered.
const REMEMBERED: usize = 200_000;

/// Messages that are handed over together, all by their places in the stream.
pub(super) struct Round {
    pub last: u64,
    pub new: Vec<Received>,
    /// What was handled before.
    pub handled: Vec<u64>,
    /// What nobody can read, and why.
    pub garbled: Vec<(u64, String)>,
}

impl Round {
    pub(super) fn messages(&self) -> usize {
        self.new.len() + self.handled.len() + self.garbled.len()
    }
}

pub(super) struct Sieve<'a> {
    control: &'a Control,
    consumer: &'a Consumer,
    /// What the replay's events are marked with.
    mark: String,
    /// How far the consumer is known to be with each aggregate. It may have come further.
    reached: HashMap<Uuid, i64>,
}

impl<'a> Sieve<'a> {
    pub(super) fn new(control: &'a Control, consumer: &'a Consumer, run: Uuid) -> Self {
        Self {
            control,
            consumer,
            mark: run.to_string(),
            reached: HashMap::new(),
        }
    }

    /// The next round, of `size` messages or a few more; `None` at the end.
    pub(super) async fn next(
        &mut self,
        reader: &mut Reader,
        size: usize,
    ) -> Result<Option<Round>, ControlError> {
        let messages = reader.next(size).await?;
        let Some(last) = messages.last().map(|message| message.stream_sequence) else {
            return Ok(None);
        };
        let versions: Vec<_> = messages.iter().map(Stored::version).collect();
        self.look_up(&versions).await?;
        let mut round = Round {
            last,
            new: Vec::with_capacity(messages.len()),
            handled: Vec::new(),
            garbled: Vec::new(),
        };
        for (message, version) in messages.into_iter().zip(versions) {
            let place = message.stream_sequence;
            if version.is_some_and(|version| !self.is_behind(version)) {
                round.handled.push(place);
                continue;
            }
            match message.read() {
                Ok(event) => round.new.push(Received {
                    replay: Some(self.mark.clone()),
                    ..event
                }),
                Err(reason) => round.garbled.push((place, reason)),
            }
        }
        Ok(Some(round))
    }

    /// Looks up the aggregates that the consumer is not known to be so far with.
    async fn look_up(&mut self, versions: &[Option<(Uuid, i64)>]) -> sqlx::Result<()> {
        if self.reached.len() > REMEMBERED {
            self.reached.clear();
        }
        let behind = versions.iter().flatten().copied();
        let behind = behind.filter(|version| self.is_behind(*version));
        let behind: HashSet<Uuid> = behind.map(|(aggregate, _)| aggregate).collect();
        let reached = apply::reached(&self.control.pool, &self.consumer.name, behind).await?;
        self.reached.extend(reached);
        Ok(())
    }

    fn is_behind(&self, (aggregate, sequence): (Uuid, i64)) -> bool {
        version_of(&self.reached, aggregate) < sequence
    }
}
