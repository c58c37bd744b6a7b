//! Rebuilding lost streams from the outbox: what the broker no longer has is published again, with the
//! same ids and in the order of each aggregate. Consumers know the events by their sequences.

use std::{collections::HashSet, time::Duration};

use async_nats::jetstream::{consumer::DeliverPolicy, context::GetStreamByNameErrorKind};
use serde_json::json;
use tiffin_events::revocation;
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    Control, ControlError, Operation, OperationKind, OperationState, operations, operations::Step,
};
use crate::{
    Broker, BrokerError, Consumer,
    broker::{in_sql, next_of},
    consume::stream_reader,
    publish::heads,
};

/// The interval of polls for the relay's progress.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Finds what is missing and has it published before anything that is new, and begins. The streams need
/// not be there: nothing is published until they are, and by then all of it waits in its order.
pub(super) async fn begin(control: &Control, id: Uuid) -> Result<Operation, ControlError> {
    operations::none_under_way(&control.pool, control.service, id).await?;
    for consumer in control.consumers.iter() {
        delete_stream_sequences(control, consumer).await?;
    }
    let (mut report, mut total, mut skipped) = (Vec::new(), 0, 0);
    for family in families(control).await? {
        // By the clock that rows are marked with.
        let checked_at = sqlx::query_scalar!(r#"select now() as "now!""#)
            .fetch_one(&control.pool)
            .await?;
        let held = ids_in_stream(&control.broker, &family).await?;
        let (there, missing) = mark_missing(control, &family, &held, checked_at).await?;
        report.push(json!({ "subjects": family, "there": there, "missing": missing }));
        total += there + missing;
        skipped += there;
    }
    // Only now, when all that is missing comes before what is new, may the relay go on.
    // Its own streams alone: the broker leaves a service without an answer about others'.
    for stream in heads::all(&control.pool).await?.into_keys() {
        let last = if control.broker.holds(stream).await? {
            stream_reader::last(&control.broker, stream).await?
        } else {
            0
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
    let last = i64::try_from(last).unwrap_or(i64::MAX);
    let name = &consumer.name;
    let mut tx = control.pool.begin().await?;
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

/// The ids of the messages that a family's stream holds; none where it is gone.
async fn ids_in_stream(broker: &Broker, family: &str) -> Result<HashSet<Uuid>, BrokerError> {
    let every = format!("{family}.>");
    let Some(name) = stream_of(broker, &every).await? else {
        return Ok(HashSet::new());
    };
    let (mut left, mut messages) = broker.headers(&name, DeliverPolicy::All, every).await?;
    let mut ids = HashSet::new();
    while left > 0 {
        let message = next_of(&mut messages).await?;
        left = message.info()?.pending;
        let headers = message.headers.as_ref();
        let id = headers.and_then(|headers| headers.get("Nats-Msg-Id"));
        if let Some(id) = id.and_then(|id| id.as_str().parse().ok()) {
            ids.insert(id);
        }
    }
    Ok(ids)
}

/// The last stream sequence of a family that is archived. The archive keeps these events, and a stream that is made again
/// goes on behind them.
async fn archived_end(broker: &Broker, family: &str) -> Result<u64, BrokerError> {
    let stream = heads::stream_of(&format!("{family}.x"));
    match (&broker.archive, stream.filter(|one| one.is_archived())) {
        (Some(archive), Some(stream)) => Ok(archive.end(stream).await?.unwrap_or_default()),
        _ => Ok(0),
    }
}

/// Has the relay publish a family's rows that the stream lacked when it was checked. Rows that were published since
/// are not lost. Returns the number of rows that the stream has and of those that it lacks.
async fn mark_missing(
    control: &Control,
    family: &str,
    there: &HashSet<Uuid>,
    checked_at: OffsetDateTime,
) -> Result<(i64, i64), ControlError> {
    let there: Vec<Uuid> = there.iter().copied().collect();
    let is_revocation =
        revocation::SUBJECTS.starts_with(family.split('.').next().unwrap_or(family));
    // Its stream forgets by itself what no token is old enough for.
    let since = if is_revocation {
        checked_at - revocation::KEPT
    } else {
        OffsetDateTime::UNIX_EPOCH
    };
    let published = sqlx::query!(
        r#"select count(*) as "rows!", count(distinct subject) as "keys!" from bus.outbox
         where starts_with(subject, $1 || '.') and published_at <= $2 and created_at >= $3"#,
        family,
        checked_at,
        since,
    )
    .fetch_one(&control.pool)
    .await?;
    // A bucket: only the last entry of each key is worth anything.
    let is_bucket = family.starts_with('$') || is_revocation;
    let missing = if is_bucket {
        sqlx::query!(
            "update bus.outbox set published_at = null
             where id in (
                 select max(id) from bus.outbox
                 where starts_with(subject, $1 || '.') group by subject
             ) and (keep_seconds is null or created_at + make_interval(secs => keep_seconds) > $3)
               and published_at <= $3 and created_at >= $4 and event_id <> all ($2)",
            family,
            &there,
            checked_at,
            since,
        )
        .execute(&control.pool)
        .await?
    } else {
        sqlx::query!(
            "update bus.outbox o set published_at = null
             where starts_with(subject, $1 || '.') and published_at <= $3
               and (stream_sequence is null or stream_sequence > $4)
               and not exists (select from unnest($2::uuid[]) as t (id) where t.id = o.event_id)",
            family,
            &there,
            checked_at,
            in_sql(archived_end(&control.broker, family).await?),
        )
        .execute(&control.pool)
        .await?
    };
    let missing = i64::try_from(missing.rows_affected()).unwrap_or(i64::MAX);
    if missing > 0 {
        sqlx::query!("select pg_notify('outbox', '')")
            .execute(&control.pool)
            .await?;
    }
    let all = if is_bucket {
        published.keys
    } else {
        published.rows
    };
    Ok((all - missing, missing))
}
