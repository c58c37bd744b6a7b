//! Rebuilding lost streams from the outbox: what the broker no longer has is published again, with the
//! same ids and in the order of each aggregate. Consumers know it by their inboxes.

use std::{
    collections::{BTreeMap, HashSet},
    time::Duration,
};

use async_nats::jetstream::consumer::{DeliverPolicy, pull::OrderedConfig};
use futures_util::StreamExt;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{Control, ControlError, Run, RunKind, RunState, runs, runs::Step};
use crate::{Broker, BrokerError};

/// How often it looks how far the relay is.
const LOOK: Duration = Duration::from_millis(250);

/// Counts the published rows, and begins.
pub(super) async fn begin(control: &Control, id: Uuid) -> Result<Run, ControlError> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from bus.outbox where published_at is not null"#
    )
    .fetch_one(&control.pool)
    .await?;
    let named = (id, control.service, RunKind::Republish);
    let now = control.clock.now();
    runs::begin(&control.pool, now, named, json!({}), (total, 0)).await
}

/// Finds what is missing, has the relay publish it, and waits until it has.
pub(super) async fn run(
    control: &Control,
    run: &Run,
    stop: &CancellationToken,
) -> Result<(), ControlError> {
    control.broker.prepare().await?;
    // After a crash the first half is done already.
    if run.position == 0 {
        let mut report = BTreeMap::new();
        for family in families(control).await? {
            let there = ids_in_stream(&control.broker, &family).await?;
            let counts = mark_missing(control, &family, &there).await?;
            report.insert(family, counts);
        }
        let state = runs::advance(
            &control.pool,
            run.id,
            1,
            Step {
                skipped: report.values().map(|counts| counts.0).sum(),
                ..Step::default()
            },
            control.clock.now(),
        )
        .await?;
        let report: Vec<_> = report
            .iter()
            .map(|(family, (there, missing))| {
                json!({ "subjects": family, "there": there, "missing": missing })
            })
            .collect();
        runs::report(&control.pool, run.id, json!({ "republished": report })).await?;
        if state != RunState::Running {
            return Ok(());
        }
    }
    loop {
        let waiting = sqlx::query_scalar!(
            r#"select count(*) as "count!" from bus.outbox
             where published_at is null and stream_sequence is not null"#
        )
        .fetch_one(&control.pool)
        .await?;
        runs::left(&control.pool, run.id, waiting, control.clock.now()).await?;
        control.tell(run.id).await;
        if waiting == 0 {
            runs::end(&control.pool, run.id, RunState::Done, None).await?;
            return Ok(());
        }
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(LOOK) => {}
        }
    }
}

/// What the outbox publishes on: `tiffin.order`, `$KV.audience`.
async fn families(control: &Control) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(
        r#"select distinct split_part(subject, '.', 1) || '.' || split_part(subject, '.', 2)
             as "family!" from bus.outbox order by 1"#
    )
    .fetch_all(&control.pool)
    .await
}

/// The ids of the messages that a family's stream holds.
async fn ids_in_stream(broker: &Broker, family: &str) -> Result<HashSet<Uuid>, BrokerError> {
    let every = format!("{family}.>");
    let name = broker
        .jetstream
        .stream_by_subject(every.as_str())
        .await
        .map_err(BrokerError::from)?;
    let stream = broker
        .jetstream
        .get_stream_no_info(name)
        .await
        .map_err(BrokerError::from)?;
    let config = OrderedConfig {
        filter_subject: every,
        headers_only: true,
        deliver_policy: DeliverPolicy::All,
        ..OrderedConfig::default()
    };
    let mut consumer = stream
        .create_consumer(config)
        .await
        .map_err(BrokerError::from)?;
    let info = consumer.info().await.map_err(BrokerError::from)?;
    let mut left = info.num_pending;
    let mut ids = HashSet::new();
    let mut messages = consumer.messages().await.map_err(BrokerError::from)?;
    while left > 0 {
        let message = messages
            .next()
            .await
            .ok_or_else(|| BrokerError("the broker ended the stream".to_owned()))?
            .map_err(BrokerError::from)?;
        left = message.info().map_err(BrokerError::from)?.pending;
        let headers = message.headers.as_ref();
        let id = headers.and_then(|headers| headers.get("Nats-Msg-Id"));
        if let Some(id) = id.and_then(|id| id.as_str().parse().ok()) {
            ids.insert(id);
        }
    }
    Ok(ids)
}

/// Has the relay publish a family's rows that the stream lacks. Returns how many are there and how
/// many are not.
async fn mark_missing(
    control: &Control,
    family: &str,
    there: &HashSet<Uuid>,
) -> Result<(i64, i64), ControlError> {
    let there: Vec<Uuid> = there.iter().copied().collect();
    let missing = if family.starts_with('$') {
        // A bucket: only the last entry of each key is worth anything.
        sqlx::query!(
            "update bus.outbox set published_at = null
             where id in (
                 select max(id) from bus.outbox
                 where starts_with(subject, $1 || '.') group by subject
             ) and published_at is not null and event_id <> all ($2)",
            family,
            &there,
        )
        .execute(&control.pool)
        .await?
    } else {
        sqlx::query!(
            "update bus.outbox o set published_at = null
             where starts_with(subject, $1 || '.') and published_at is not null
               and not exists (select from unnest($2::uuid[]) as t (id) where t.id = o.event_id)",
            family,
            &there,
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
    Ok((i64::try_from(there.len()).unwrap_or(i64::MAX), missing))
}
