//! Handing a frozen part of a stream to one consumer again. Handled events are skipped, with one query a round. The
//! others take effect, after the check of their sequences and with the replay's id.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};
use uuid::Uuid;

use super::{
    Control, ControlError, Operation, OperationKind, OperationState, Selection,
    hand_over::HandOver, operations, refusal::Refusal, rounds::Rounds, selection,
};
use crate::{
    Consumer,
    consume::stream_reader::{self, BATCH, StreamReader},
};

/// Messages that are handed over at once: at first, as a rule and at most. For a large round the database
/// takes less time an event, but a moderate one stays in the processor's cache.
const MIN_ROUND: usize = 100;
const NORMAL_ROUND: usize = 5_000;
const MAX_ROUND: usize = 20_000;
/// The largest factor by which a round may grow.
const MAX_GROWTH: usize = 8;
/// The longest that a round should take: so long may a transaction wait for a row, or an operator for a
/// pause.
const MAX_ROUND_TIME: Duration = Duration::from_millis(400);

#[derive(Debug, Serialize, Deserialize)]
struct Spec {
    selection: Selection,
    rate: Option<u32>,
}

/// Freezes the selection, counts it, and begins.
pub(super) async fn begin(
    control: &Control,
    consumer: &Consumer,
    id: Uuid,
    selection: &Selection,
    rate: Option<u32>,
) -> Result<Operation, ControlError> {
    let (window, total) = freeze(control, consumer, selection).await?;
    if total == 0 {
        return Err(Refusal::NothingMatches.into());
    }
    if rate == Some(0) {
        return Err(Refusal::NoRate.into());
    }
    let spec = json!(Spec {
        selection: window.clone(),
        rate
    });
    let start = i64::try_from(window.from - 1).unwrap_or(i64::MAX);
    let now = control.clock.now();
    let named = (id, consumer.name.as_str(), OperationKind::Replay);
    operations::begin(&control.pool, now, named, spec, (total, start)).await
}

/// The selection as it is now, and how many events it holds.
pub(super) async fn freeze(
    control: &Control,
    consumer: &Consumer,
    selection: &Selection,
) -> Result<(Selection, i64), ControlError> {
    let subjects = selection::subjects(&consumer.subjects, selection)?;
    let last = stream_reader::last(&control.broker, consumer.stream).await?;
    let window = Selection {
        to: selection.to.min(last),
        ..selection.clone()
    };
    if window.from > window.to {
        return Ok((window, 0));
    }
    let range = (window.from, window.to);
    let total = stream_reader::count(&control.broker, consumer.stream, &subjects, range).await?;
    Ok((window, i64::try_from(total).unwrap_or(i64::MAX)))
}

/// Goes on from the operation's position to the end, or until it is paused, cancelled or `stop`.
pub(super) async fn run(
    control: &Control,
    operation: &Operation,
    spec: &Value,
    stop: &CancellationToken,
) -> Result<(), ControlError> {
    let Spec { selection, rate } = Spec::deserialize(spec).map_err(Refusal::Row)?;
    let consumer = control.consumer(&operation.target)?;
    let subjects = selection::subjects(&consumer.subjects, &selection)?;
    let from = u64::try_from(operation.position).unwrap_or_default() + 1;
    let range = (from, selection.to);
    // Where there is a rate, what a quarter of a second may bring.
    let mut size = rate.map_or(MIN_ROUND, |rate| {
        usize::try_from(rate.div_ceil(4)).map_or(BATCH, |size| size.min(BATCH))
    });
    let (broker, stream) = (&control.broker, consumer.stream);
    let reader = StreamReader::open(broker, stream, &subjects, range, size).await?;
    let (began, mut done) = (Instant::now(), 0.0);
    let mut rounds = Rounds::new(control, consumer, operation.id, reader);
    let mut over = HandOver::new(control, consumer, operation);
    let mut round = rounds.next(size).await?;
    while let Some(current) = round {
        let round_began = Instant::now();
        // The next is read while the database works on this one.
        let next = AbortOnDropHandle::new(tokio::spawn(async move {
            let round = rounds.next(size).await;
            (rounds, round)
        }));
        let state = over.round(&current).await?;
        let took = round_began.elapsed();
        if state != OperationState::Running {
            return Ok(());
        }
        if stop.is_cancelled() {
            over.save_progress().await?;
            return Ok(());
        }
        if let Some(rate) = rate {
            done += f64::from(u32::try_from(current.messages()).unwrap_or(u32::MAX));
            let due = Duration::from_secs_f64(done / f64::from(rate));
            tokio::time::sleep(due.saturating_sub(began.elapsed())).await;
        } else {
            size = next_size(size, took, next.is_finished());
        }
        let read;
        (rounds, read) = next.await?;
        round = read?;
    }
    if over.save_progress().await? == OperationState::Running {
        let report = json!({ "failures": over.failures });
        operations::end(
            &control.pool,
            operation.id,
            OperationState::Done,
            Some(report),
        )
        .await?;
    }
    Ok(())
}

/// The size of the next round after one of `size` took `took`: as many as fit into half of [`MAX_ROUND_TIME`]. It
/// grows fast only if the next round `was_ready` before: then the database took the time, and not the
/// reading.
fn next_size(size: usize, took: Duration, was_ready: bool) -> usize {
    let fits = (MAX_ROUND_TIME / 2).as_micros() / took.as_micros().max(1);
    let next = if took > MAX_ROUND_TIME {
        size / 2
    } else {
        size * usize::try_from(fits)
            .unwrap_or(MAX_GROWTH)
            .clamp(1, MAX_GROWTH)
    };
    let most = if was_ready {
        MAX_ROUND
    } else {
        size.max(NORMAL_ROUND)
    };
    next.clamp(MIN_ROUND, most)
}
