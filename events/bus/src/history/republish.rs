//! Rebuilding lost streams from the outbox: what the broker no longer has is published again, with the
//! same ids and in the order of each aggregate. Consumers know the events by their sequences. Archived events stay in
//! the archive, and their rows may be gone.

mod missing;

use std::time::Duration;

use async_nats::jetstream::context::GetStreamByNameErrorKind;
use serde_json::json;
use tiffin_events::Stream;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use self::missing::Counts;
use super::{
    Control, ControlError, Operation, OperationKind, OperationState, Refusal, operations,
    operations::Step,
};
use crate::{
    Broker, BrokerError, Consumer,
    broker::in_sql,
    consume::{snapshot, stream_reader},
    publish::heads,
};

/// The interval of polls for the relay's progress.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Finds what is missing and has it published before anything that is new, and begins. The streams need
/// not be there: nothing is published until they are, and by then all of it waits in its order.
pub(super) async fn begin(control: &Control, id: Uuid) -> Result<Operation, ControlError> {
    operations::none_under_way(&control.pool, control.service, id).await?;
    for stream in heads::all(&control.pool).await?.into_keys() {
        reaches_its_archive(&control.broker, stream).await?;
    }
    for consumer in control.consumers.iter() {
        delete_stream_sequences(control, consumer).await?;
    }
    let (mut report, mut total, mut skipped) = (Vec::new(), 0, 0);
    for family in families(control).await? {
        let found = missing::mark(&control.pool, &control.broker, &family).await?;
        let Counts { there, missing } = found;
        report.push(json!({ "subjects": family, "there": there, "missing": missing }));
        total += there + missing;
        skipped += there;
    }
    // Only now, when all that is missing comes before what is new, may the relay go on.
    // Its own streams alone: the broker leaves a service without an answer about others'.
    for stream in heads::all(&control.pool).await?.into_keys() {
        let last = match last_of(&control.broker, stream).await? {
            Some(last) => last,
            // It is made again behind its archive.
            None => control.broker.archived_end(stream).await?,
        };
        heads::lower(&control.pool, stream, last).await?;
    }
    let named = (id, control.service, OperationKind::Republish);
    let now = control.clock.now();
    let operation = operations::begin(&control.pool, now, named, json!({}), (total, 0)).await?;
    let step = Step {
        skipped,
        ..Step::default()
    };
    operations::save_progress(&control.pool, id, 0, step, now).await?;
    operations::save_report(&control.pool, id, json!({ "republished": report })).await?;
    Ok(operation)
}

/// Refuses if a stream is there and ends before its archive: what is published to it would take the stream sequences of
/// archived events, and would count as archived.
async fn reaches_its_archive(broker: &Broker, stream: Stream) -> Result<(), ControlError> {
    let end = broker.archived_end(stream).await?;
    match last_of(broker, stream).await? {
        Some(last) if last < end => Err(Refusal::BeforeItsArchive { stream, last, end }.into()),
        _ => Ok(()),
    }
}

/// The last stream sequence of a stream; `None` if the broker has lost it.
async fn last_of(broker: &Broker, stream: Stream) -> Result<Option<u64>, BrokerError> {
    if !broker.holds(stream).await? {
        return Ok(None);
    }
    stream_reader::last(broker, stream).await.map(Some)
}

/// Deletes the stream sequences beyond the end of a consumer's stream: the stream was lost, and its events come again
/// with other stream sequences. A dead letter is then handled again, and put aside again.
async fn delete_stream_sequences(
    control: &Control,
    consumer: &Consumer,
) -> Result<(), ControlError> {
    let subjects = consumer.stream.subjects();
    let last = match subjects.first() {
        Some(first) if stream_of(&control.broker, first).await?.is_some() => {
            stream_reader::last(&control.broker, consumer.stream).await?
        }
        _ => 0,
    };
    // What is archived keeps its stream sequences.
    let kept = last.max(control.broker.archived_end(consumer.stream).await?);
    let last = i64::try_from(last).unwrap_or(i64::MAX);
    let name = &consumer.name;
    let mut tx = tiffin_database::begin(&control.pool).await?;
    for sql in [
        sqlx::query!(
            "delete from bus.blocked where consumer = $1 and stream_sequence > $2",
            name,
            last
        ),
        sqlx::query!(
            "delete from bus.parked where consumer = $1 and stream_sequence > $2",
            name,
            last
        ),
        sqlx::query!(
            "delete from bus.replaced where consumer = $1 and position > $2",
            name,
            last
        ),
        sqlx::query!(
            r#"update bus.runs
             set state = 'failed', report = '{ "error": "its stream was lost" }', updated_at = now()
             where target = $1 and state in ('running', 'paused') and position > $2"#,
            name,
            last
        ),
    ] {
        sql.execute(&mut *tx).await?;
    }
    snapshot::drop_beyond(&mut tx, name, in_sql(kept)).await?;
    tx.commit().await?;
    Ok(())
}

/// The stream that takes a subject, if there is one.
async fn stream_of(broker: &Broker, subject: &str) -> Result<Option<String>, BrokerError> {
    match broker.jetstream.stream_by_subject(subject).await {
        Ok(name) => Ok(Some(name)),
        Err(error) if error.kind() == GetStreamByNameErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Waits until the relay has published everything.
pub(super) async fn run(
    control: &Control,
    operation: &Operation,
    stop: &CancellationToken,
) -> Result<(), ControlError> {
    loop {
        let waiting = sqlx::query_scalar!(
            r#"select count(*) as "count!" from bus.outbox
             where published_at is null and stream_sequence is not null"#
        )
        .fetch_one(&control.pool)
        .await?;
        operations::save_remaining(&control.pool, operation.id, waiting, control.clock.now())
            .await?;
        control.report(operation.id).await;
        if waiting == 0 {
            operations::end(&control.pool, operation.id, OperationState::Done, None).await?;
            return Ok(());
        }
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}

/// The families of subjects in the outbox: `tiffin.order`, `$KV.audience`.
async fn families(control: &Control) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(
        r#"select distinct split_part(subject, '.', 1) || '.' || split_part(subject, '.', 2)
             as "family!" from bus.outbox order by 1"#
    )
    .fetch_all(&control.pool)
    .await
}
