//! The rows of `bus.runs`.

use serde_json::Value;
use sqlx::{PgExecutor, PgPool};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{ControlError, Operation, OperationKind, OperationState, refusal::Refusal};

impl OperationKind {
    const fn word(self) -> &'static str {
        match self {
            Self::Replay => "replay",
            Self::Rebuild => "rebuild",
            Self::Verify => "verify",
            Self::Republish => "republish",
        }
    }
}

impl OperationState {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }
}

/// An operation with its specification, from its row.
pub(super) async fn find(
    pool: &PgPool,
    id: Uuid,
) -> Result<Option<(Operation, Value)>, ControlError> {
    let row = sqlx::query!(
        "select id, target, kind, spec, state, total, position, handled, skipped, failed, report,
                started_at, updated_at
         from bus.runs where id = $1",
        id,
    )
    .fetch_optional(pool)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let operation = Operation {
        id: row.id,
        target: row.target,
        kind: serde_json::from_value(row.kind.into()).map_err(Refusal::Row)?,
        state: serde_json::from_value(row.state.into()).map_err(Refusal::Row)?,
        total: row.total,
        position: row.position,
        handled: row.handled,
        skipped: row.skipped,
        failed: row.failed,
        report: row.report,
        started_at: row.started_at,
        updated_at: row.updated_at,
    };
    Ok(Some((operation, row.spec)))
}

/// Begins an operation. Refused while another one is under way for the same target.
pub(super) async fn begin(
    pool: &PgPool,
    now: OffsetDateTime,
    (id, target, kind): (Uuid, &str, OperationKind),
    spec: Value,
    (total, position): (i64, i64),
) -> Result<Operation, ControlError> {
    let begun = sqlx::query!(
        "insert into bus.runs (id, target, kind, spec, state, total, position, started_at, updated_at)
         values ($1, $2, $3, $4, 'running', $5, $6, $7, $7) on conflict do nothing",
        id,
        target,
        kind.word(),
        spec,
        total,
        position,
        now,
    )
    .execute(pool)
    .await?;
    match find(pool, id).await? {
        Some((operation, _)) if begun.rows_affected() == 1 || operation.target == target => {
            Ok(operation)
        }
        _ => Err(Refusal::UnderWay(target.to_owned()).into()),
    }
}

/// The operations that are to be carried out.
pub(super) async fn under_way(database: impl PgExecutor<'_>) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!("select id from bus.runs where state = 'running' order by started_at")
        .fetch_all(database)
        .await
}

/// True if an operation is running or paused.
pub(super) async fn is_under_way(executor: impl PgExecutor<'_>, id: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (
             select from bus.runs where id = $1 and state in ('running', 'paused')
         ) as "is_under_way!""#,
        id,
    )
    .fetch_one(executor)
    .await
}

/// The events that a step went through.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Step {
    pub handled: i64,
    pub skipped: i64,
    pub failed: i64,
}

/// Saves the progress of an operation. Returns its state: an operator may have paused or cancelled it.
pub(super) async fn save_progress(
    executor: impl PgExecutor<'_>,
    id: Uuid,
    position: i64,
    step: Step,
    now: OffsetDateTime,
) -> Result<OperationState, ControlError> {
    let state = sqlx::query_scalar!(
        "update bus.runs set position = $2, handled = handled + $3, skipped = skipped + $4,
                failed = failed + $5, updated_at = $6
         where id = $1 returning state",
        id,
        position,
        step.handled,
        step.skipped,
        step.failed,
        now,
    )
    .fetch_one(executor)
    .await?;
    Ok(serde_json::from_value(state.into()).map_err(Refusal::Row)?)
}

/// Ends an operation that is under way.
pub(super) async fn end(
    executor: impl PgExecutor<'_>,
    id: Uuid,
    state: OperationState,
    report: Option<Value>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "update bus.runs set state = $2, report = coalesce($3, report), updated_at = now()
         where id = $1 and state in ('running', 'paused')",
        id,
        state.word(),
        report,
    )
    .execute(executor)
    .await?;
    Ok(())
}

/// Changes an operation's state from one to another. Refused if it is in neither.
pub(super) async fn change_state(
    pool: &PgPool,
    id: Uuid,
    from: OperationState,
    to: OperationState,
) -> Result<(), ControlError> {
    let turned = sqlx::query!(
        "update bus.runs set state = $3, updated_at = now() where id = $1 and state in ($2, $3)",
        id,
        from.word(),
        to.word(),
    )
    .execute(pool)
    .await?;
    if turned.rows_affected() == 0 {
        return Err(Refusal::NotInState(from).into());
    }
    Ok(())
}

/// Cancels an operation that is under way.
pub(super) async fn cancel(pool: &PgPool, id: Uuid) -> Result<(), ControlError> {
    let cancelled = sqlx::query!(
        "update bus.runs set state = 'cancelled', updated_at = now()
         where id = $1 and state in ('running', 'paused')",
        id,
    )
    .execute(pool)
    .await?;
    if cancelled.rows_affected() == 0 {
        return Err(Refusal::NotUnderWay.into());
    }
    Ok(())
}

/// Refused while another operation is under way for `target`.
pub(super) async fn none_under_way(
    pool: &PgPool,
    target: &str,
    but: Uuid,
) -> Result<(), ControlError> {
    let busy = sqlx::query_scalar!(
        r#"select exists (
             select from bus.runs where target = $1 and id <> $2 and state in ('running', 'paused')
         ) as "busy!""#,
        target,
        but,
    )
    .fetch_one(pool)
    .await?;
    if busy {
        return Err(Refusal::UnderWay(target.to_owned()).into());
    }
    Ok(())
}

/// Saves the report of an operation.
pub(super) async fn save_report(pool: &PgPool, id: Uuid, report: Value) -> sqlx::Result<()> {
    sqlx::query!("update bus.runs set report = $2 where id = $1", id, report)
        .execute(pool)
        .await?;
    Ok(())
}

/// Saves the number of events to go through, if an operation finds that it has other ones than it counted.
pub(super) async fn save_total(pool: &PgPool, id: Uuid, total: i64) -> sqlx::Result<()> {
    sqlx::query!(
        "update bus.runs set total = handled + $2 where id = $1",
        id,
        total
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Saves the number of events that are left, skipped ones aside.
pub(super) async fn save_remaining(
    pool: &PgPool,
    id: Uuid,
    left: i64,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "update bus.runs set handled = greatest(total - skipped - $2, 0), updated_at = $3
         where id = $1",
        id,
        left,
        now,
    )
    .execute(pool)
    .await?;
    Ok(())
}
