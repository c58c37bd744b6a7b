//! Handing a frozen part of a stream to one consumer again. What it has handled is skipped, a batch a
//! look; what it has not takes effect, with its version guard and inbox, and the replay's id.

use std::{collections::HashSet, time::Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    Control, ControlError, Run, RunKind, RunState, Selection, refused, runs,
    runs::Step,
    selection::{self, BATCH, Reader},
};
use crate::{
    Consumer, Received,
    received::Stored,
    settle::{self, Fed},
};

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
) -> Result<Run, ControlError> {
    let (window, total) = freeze(control, consumer, selection).await?;
    if total == 0 {
        return refused("nothing matches");
    }
    if rate == Some(0) {
        return refused("a rate of 0 never ends");
    }
    let spec = json!(Spec {
        selection: window.clone(),
        rate
    });
    let start = i64::try_from(window.from - 1).unwrap_or(i64::MAX);
    let now = control.clock.now();
    let named = (id, consumer.name.as_str(), RunKind::Replay);
    runs::begin(&control.pool, now, named, spec, (total, start)).await
}

/// Begins with everything from `from` on; `None` where there is nothing.
pub(super) async fn begin_from(
    control: &Control,
    consumer: &Consumer,
    from: u64,
) -> Result<Option<Run>, ControlError> {
    let selection = Selection {
        from,
        to: u64::MAX,
        filter: None,
    };
    let (_, total) = freeze(control, consumer, &selection).await?;
    if total == 0 {
        return Ok(None);
    }
    let id = control.clock.new_id();
    begin(control, consumer, id, &selection, None)
        .await
        .map(Some)
}

/// The selection as it is now, and how many events it holds.
pub(super) async fn freeze(
    control: &Control,
    consumer: &Consumer,
    selection: &Selection,
) -> Result<(Selection, i64), ControlError> {
    let subjects = selection::subjects(&consumer.subjects, selection)?;
    let last = selection::last(&control.broker, consumer.stream).await?;
    let window = Selection {
        to: selection.to.min(last),
        ..selection.clone()
    };
    if window.from > window.to {
        return Ok((window, 0));
    }
    let range = (window.from, window.to);
    let total = selection::count(&control.broker, consumer.stream, &subjects, range).await?;
    Ok((window, i64::try_from(total).unwrap_or(i64::MAX)))
}

/// Goes on from the run's position to the end, or until it is paused, cancelled or `stop`.
pub(super) async fn run(
    control: &Control,
    run: &Run,
    spec: &Value,
    stop: &CancellationToken,
) -> Result<(), ControlError> {
    let Spec { selection, rate } = Spec::deserialize(spec)
        .map_err(|error| ControlError::Refused(format!("its row can't be read: {error}")))?;
    let consumer = control.consumer(&run.target)?;
    let subjects = selection::subjects(&consumer.subjects, &selection)?;
    let from = u64::try_from(run.position).unwrap_or_default() + 1;
    let range = (from, selection.to);
    let mut reader = Reader::open(&control.broker, consumer.stream, &subjects, range).await?;
    let size = rate.map_or(BATCH, |rate| {
        usize::try_from(rate.div_ceil(4))
            .unwrap_or(BATCH)
            .min(BATCH)
    });
    let (began, mut done) = (Instant::now(), 0.0);
    let mut failures = Vec::new();
    loop {
        let batch = reader.batch(size).await?;
        let Some(last) = batch.last() else { break };
        let position = i64::try_from(last.stream_sequence).unwrap_or(i64::MAX);
        let events: Vec<_> = batch.iter().map(Stored::read).collect();
        let fed = feed(control, consumer, run.id, events, &mut failures).await?;
        let now = control.clock.now();
        let state = runs::advance(&control.pool, run.id, position, fed, now).await?;
        control.tell(run.id).await;
        if state != RunState::Running || stop.is_cancelled() {
            return Ok(());
        }
        if let Some(rate) = rate {
            done += f64::from(u32::try_from(batch.len()).unwrap_or(u32::MAX));
            let due = std::time::Duration::from_secs_f64(done / f64::from(rate));
            tokio::time::sleep(due.saturating_sub(began.elapsed())).await;
        }
    }
    let report = json!({ "failures": failures });
    runs::end(&control.pool, run.id, RunState::Done, Some(report)).await?;
    Ok(())
}

/// How many reasons are kept.
const REASONS: usize = 20;

/// Hands a batch to the consumer, those that are new to it.
async fn feed(
    control: &Control,
    consumer: &Consumer,
    run: Uuid,
    events: Vec<Result<Received, String>>,
    failures: &mut Vec<String>,
) -> Result<Step, ControlError> {
    let mut step = Step::default();
    let mut readable = Vec::with_capacity(events.len());
    for event in events {
        match event {
            Ok(event) => readable.push(event),
            Err(reason) => fail(&mut step, failures, reason),
        }
    }
    let new = unhandled(control, consumer, &readable).await?;
    for mut event in readable {
        if !new.contains(&event.envelope.id) {
            step.skipped += 1;
            continue;
        }
        event.replay = Some(run.to_string());
        match settle::feed(consumer, &control.broker, &event).await {
            Ok(Fed::Now) => step.handled += 1,
            Ok(Fed::Before) => step.skipped += 1,
            Ok(Fed::Waits) => {
                let (place, before) = (event.stream_sequence, event.envelope.sequence - 1);
                let reason = format!("{place}: version {before} of it comes first");
                fail(&mut step, failures, reason);
            }
            Err(error) => {
                let place = event.stream_sequence;
                fail(&mut step, failures, format!("{place}: {error}"));
            }
        }
    }
    Ok(step)
}

fn fail(step: &mut Step, failures: &mut Vec<String>, reason: String) {
    step.failed += 1;
    if failures.len() < REASONS {
        failures.push(reason);
    }
}

/// Those that the consumer has not reached.
pub(super) async fn unhandled(
    control: &Control,
    consumer: &Consumer,
    events: &[Received],
) -> Result<HashSet<Uuid>, ControlError> {
    let ids: Vec<_> = events.iter().map(|event| event.envelope.id).collect();
    let aggregates: Vec<_> = events.iter().map(|event| event.envelope.subject).collect();
    let sequences: Vec<_> = events.iter().map(|event| event.envelope.sequence).collect();
    let new = sqlx::query_scalar!(
        r#"select e.id as "id!"
         from unnest($2::uuid[], $3::uuid[], $4::bigint[]) as e (id, aggregate, sequence)
         left join bus.reached r on r.consumer = $1 and r.aggregate = e.aggregate
         where e.sequence > coalesce(r.sequence, 0)"#,
        consumer.name,
        &ids,
        &aggregates,
        &sequences,
    )
    .fetch_all(&control.pool)
    .await?;
    Ok(new.into_iter().collect())
}
