//! The operations of operators.

use serde_json::Value;
use sqlx::PgConnection;
use tiffin_bus::{Cause, Outgoing, history::OperationState};
use tiffin_events::{UserId, operation::OperationEvent};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Error, State, chain, operation::Operation};

#[derive(Debug)]
struct OperationRow {
    id: Uuid,
    verb: String,
    target: String,
    reason: String,
    actor: Uuid,
    service: Option<String>,
    stream: Option<String>,
    spec: Value,
    state: String,
    total: i64,
    handled: i64,
    skipped: i64,
    failed: i64,
    report: Option<Value>,
    begun_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    version: i64,
}

impl TryFrom<OperationRow> for Operation {
    type Error = Error;
    fn try_from(row: OperationRow) -> Result<Self, Error> {
        Ok(Self {
            id: row.id,
            verb: row.verb,
            target: row.target,
            reason: row.reason,
            actor: UserId(row.actor),
            service: row.service,
            stream: row.stream,
            spec: row.spec,
            state: serde_json::from_value(row.state.into())?,
            total: row.total,
            handled: row.handled,
            skipped: row.skipped,
            failed: row.failed,
            report: row.report,
            begun_at: row.begun_at,
            updated_at: row.updated_at,
            sequence: row.version,
        })
    }
}

/// Keeps other requests waiting until the transaction ends, and returns true if this service works on an
/// operation with one of these verbs.
pub async fn is_any_under_way(tx: &mut PgConnection, verbs: &[String]) -> sqlx::Result<bool> {
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('operations', 0))")
        .fetch_one(&mut *tx)
        .await?;
    sqlx::query_scalar!(
        r#"select exists (
             select from operations
             where service is null and verb = any ($1) and state in ('running', 'paused')
         ) as "is_one!""#,
        verbs,
    )
    .fetch_one(tx)
    .await
}

/// Saves a new operation and appends its event, and that of its end where it has ended at once.
pub async fn begin(
    tx: &mut PgConnection,
    state: &State,
    cause: &Cause,
    operation: &Operation,
) -> Result<(), Error> {
    let mut ended = operation.clone();
    let end = operation.ended_at_once();
    ended.sequence += i64::from(end.is_some());
    sqlx::query!(
        "insert into operations (id, verb, target, reason, actor, service, stream, spec, state, total, report,
                                 begun_at, updated_at, version, seen_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13, now())",
        operation.id,
        operation.verb,
        operation.target,
        operation.reason,
        operation.actor.0,
        operation.service,
        operation.stream,
        operation.spec,
        state_name(operation.state)?,
        operation.total,
        operation.report,
        operation.begun_at,
        ended.sequence,
    )
    .execute(&mut *tx)
    .await?;
    append(tx, state, cause, operation, &operation.begun()).await?;
    if let Some(end) = end {
        append(tx, state, cause, &ended, &end).await?;
    }
    Ok(())
}

/// The one way to change an operation: lock it, let `step` change it, save it, and append the event of its
/// end.
pub async fn change(
    tx: &mut PgConnection,
    state: &State,
    cause: &Cause,
    id: Uuid,
    step: impl FnOnce(&mut Operation),
) -> Result<Option<Operation>, Error> {
    let Some(mut operation) = lock(tx, id).await? else {
        return Ok(None);
    };
    let was_under_way = operation.is_under_way();
    step(&mut operation);
    operation.updated_at = state.clock.now();
    let ended = operation.ended().filter(|_| was_under_way);
    operation.sequence += i64::from(ended.is_some());
    sqlx::query!(
        "update operations set state = $2, total = $3, handled = $4, skipped = $5, failed = $6,
                report = $7, updated_at = $8, version = $9
         where id = $1",
        id,
        state_name(operation.state)?,
        operation.total,
        operation.handled,
        operation.skipped,
        operation.failed,
        operation.report,
        operation.updated_at,
        operation.sequence,
    )
    .execute(&mut *tx)
    .await?;
    if let Some(ended) = ended {
        append(tx, state, cause, &operation, &ended).await?;
    }
    Ok(Some(operation))
}

async fn append(
    tx: &mut PgConnection,
    state: &State,
    cause: &Cause,
    operation: &Operation,
    event: &OperationEvent,
) -> Result<(), Error> {
    let (id, sequence) = (operation.id, operation.sequence);
    let outgoing = Outgoing::event(&state.recorder(), cause, id, sequence, event).await?;
    chain::append(tx, &state.broker, outgoing.hint([operation.actor])).await
}

async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<Operation>, Error> {
    let row = sqlx::query_as!(
        OperationRow,
        "select id, verb, target, reason, actor, service, stream, spec, state, total, handled, skipped,
                failed, report, begun_at, updated_at, version
         from operations where id = $1 for update",
        id,
    )
    .fetch_optional(tx)
    .await?;
    row.map(Operation::try_from).transpose()
}

pub async fn find(tx: &mut PgConnection, id: Uuid) -> Result<Option<Operation>, Error> {
    let row = sqlx::query_as!(
        OperationRow,
        "select id, verb, target, reason, actor, service, stream, spec, state, total, handled, skipped,
                failed, report, begun_at, updated_at, version
         from operations where id = $1",
        id,
    )
    .fetch_optional(tx)
    .await?;
    row.map(Operation::try_from).transpose()
}

/// The operations that take time, newest first.
pub async fn list(
    tx: &mut PgConnection,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Vec<Operation>, Error> {
    let rows = sqlx::query_as!(
        OperationRow,
        "select id, verb, target, reason, actor, service, stream, spec, state, total, handled, skipped,
                failed, report, begun_at, updated_at, version
         from operations
         where verb in ('replay', 'rebuild', 'verify', 'republish', 'live') and ($1::uuid is null or id < $1)
         order by id desc limit $2",
        before,
        limit,
    )
    .fetch_all(tx)
    .await?;
    rows.into_iter().map(Operation::try_from).collect()
}

/// The operations that are under way.
pub async fn under_way(tx: &mut PgConnection) -> Result<Vec<Operation>, Error> {
    let rows = sqlx::query_as!(
        OperationRow,
        "select id, verb, target, reason, actor, service, stream, spec, state, total, handled, skipped,
                failed, report, begun_at, updated_at, version
         from operations where state in ('running', 'paused') order by id",
    )
    .fetch_all(tx)
    .await?;
    rows.into_iter().map(Operation::try_from).collect()
}

/// Records, with the time of the database, that this process works on some operations.
pub async fn mark_seen(tx: &mut PgConnection, ids: &[Uuid]) -> sqlx::Result<()> {
    sqlx::query!(
        "update operations set seen_at = now() where id = any ($1) and state in ('running', 'paused')",
        ids,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The operations of this service that are under way although no process has reported work on them for so
/// many seconds, except those with one verb.
pub async fn abandoned(
    tx: &mut PgConnection,
    seconds: f64,
    except: &str,
) -> Result<Vec<Uuid>, Error> {
    let ids = sqlx::query_scalar!(
        "select id from operations
         where service is null and verb <> $2 and state in ('running', 'paused')
           and (seen_at is null or seen_at < now() - make_interval(secs => $1))
         order by id",
        seconds,
        except,
    );
    Ok(ids.fetch_all(tx).await?)
}

fn state_name(state: OperationState) -> serde_json::Result<String> {
    serde_json::from_value(serde_json::to_value(state)?)
}
