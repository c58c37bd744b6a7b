//! The rows that a replay would change. The events are handled on copies of the tables they write to, in a
//! transaction that is rolled back. If the consumer has handled all of them, nothing is copied.

use sqlx::{Connection, PgConnection};

use super::{
    Changes, Control, ControlError, Selection, refusal::Refusal, replay, selection,
    table_copies::TableCopies,
};
use crate::{
    Consumer, Failure, Received,
    consume::{
        apply::{self, Applied, sequence_of},
        erase_account::DRY_RUN,
        received::Unopened,
        stream_reader::{BATCH, StreamReader},
    },
};

/// The number of rows that are listed in full.
const MAX_SHOWN: usize = 200;
/// Events that may be new to the consumer; more are a rebuild's work.
const MAX_NEW: usize = 10_000;

pub(super) async fn run(
    control: &Control,
    consumer: &Consumer,
    selection: &Selection,
) -> Result<Changes, ControlError> {
    let (window, matched) = replay::freeze(control, consumer, selection).await?;
    let mut changes = Changes {
        matched,
        ..Changes::default()
    };
    if matched == 0 {
        return Ok(changes);
    }
    let new = read(control, consumer, &window, &mut changes).await?;
    if new.is_empty() {
        return Ok(changes);
    }
    let mut tx = tiffin_database::begin(&control.pool).await?;
    let mut copies = TableCopies::open(&mut tx, &new).await?;
    for event in new {
        match apply_one(&mut tx, consumer, &event, &mut copies).await? {
            Ok(Applied::Now { .. }) => {}
            Ok(Applied::Duplicate | Applied::Parked) => changes.skipped += 1,
            Ok(Applied::Gap { .. }) => {
                let before = event.envelope.sequence - 1;
                add_failure(
                    &mut changes,
                    &event,
                    &format!("sequence {before} comes first"),
                );
            }
            Err(reason) => add_failure(&mut changes, &event, &reason.to_string()),
        }
    }
    copies.compare(&mut tx, &mut changes, MAX_SHOWN).await?;
    tx.rollback().await?;
    Ok(changes)
}

/// Handles one event; it stays handled if it takes effect. If it writes to a table without a copy, that is
/// undone, and the event is handled again once the copy exists.
async fn apply_one(
    tx: &mut PgConnection,
    consumer: &Consumer,
    event: &Received,
    copies: &mut TableCopies,
) -> Result<Result<Applied, Failure>, ControlError> {
    loop {
        let mut step = tx.begin().await?;
        let applied = consumer.apply_in(&mut step, event).await;
        let takes_effect = matches!(applied, Ok(Applied::Now { .. }));
        if takes_effect && copies.written(&mut step).await?.is_empty() {
            step.commit().await?;
            return Ok(applied);
        }
        step.rollback().await?;
        let written = copies.written(tx).await?;
        if written.is_empty() {
            return Ok(applied);
        }
        for table in written {
            copies.copy(tx, &table).await?;
        }
    }
}

/// The events that the consumer has not handled.
async fn read(
    control: &Control,
    consumer: &Consumer,
    window: &Selection,
    changes: &mut Changes,
) -> Result<Vec<Received>, ControlError> {
    let subjects = selection::subjects(&consumer.subjects, window)?;
    let range = (window.from, window.to);
    let mut reader =
        StreamReader::open(&control.broker, consumer.stream, &subjects, range, BATCH).await?;
    let mut new = Vec::new();
    loop {
        let batch = reader.next(BATCH).await?;
        if batch.is_empty() {
            return Ok(new);
        }
        let mut events = Vec::with_capacity(batch.len());
        let mut unreadable = Vec::new();
        for message in batch {
            match message.read() {
                Ok(event) => events.push(event),
                Err(error) => unreadable.push(error),
            }
        }
        let opened = Unopened::open_all(events, &control.broker.keys).await;
        let mut events = Vec::new();
        for event in opened.map_err(Failure::from)? {
            match event {
                Ok(event) => events.push(event),
                Err(error) => unreadable.push(error),
            }
        }
        for error in unreadable {
            changes.failed += 1;
            changes.failures.push(error.to_string());
        }
        let aggregates = events.iter().map(|event| event.envelope.subject).collect();
        let reached = apply::handled_sequences(&control.pool, &consumer.name, aggregates).await?;
        for mut event in events {
            if event.envelope.sequence > sequence_of(&reached, event.envelope.subject) {
                event.replay = Some(DRY_RUN.into());
                new.push(event);
            } else {
                changes.skipped += 1;
            }
        }
        if new.len() > MAX_NEW {
            return Err(Refusal::TooMany {
                most: MAX_NEW,
                consumer: consumer.name.clone(),
            }
            .into());
        }
    }
}

fn add_failure(changes: &mut Changes, event: &Received, reason: &str) {
    changes.failed += 1;
    if changes.failures.len() < MAX_SHOWN {
        let sequence = event.stream_sequence;
        changes.failures.push(format!("{sequence}: {reason}"));
    }
}
