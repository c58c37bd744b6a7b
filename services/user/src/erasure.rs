//! Erasure of closed accounts: the personal data of an account's events is removed from the stream USERS
//! and from the outbox. A task tries it until it succeeds: closing an account must not wait for the broker,
//! and the broker must have the account's last event first.

use sqlx::PgConnection;
use tiffin_bus::{
    Broker,
    erase::{self, EraseError},
};
use tiffin_events::{UserId, user::UserEvent};
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use crate::{Error, State};

/// The time that one worker has for an erasure before another takes it, and the pause before the next attempt.
const LEASE: Duration = Duration::seconds(30);
/// The time from the first run to the second: a republication that was under way may have restored some of it.
const SECOND_RUN_AFTER: Duration = Duration::hours(1);
/// The interval of looking for due erasures.
const POLL_INTERVAL: std::time::Duration = std::time::Duration::from_secs(5);

/// Requests the erasure of an account, in the transaction that closes it.
pub(crate) async fn request(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    user: UserId,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into erasures (user_id, requested_at, next_attempt_at) values ($1, $2, $2)",
        user.0,
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Erases closed accounts that are due, until `shutdown`.
pub(crate) async fn run(state: &State, broker: &Broker, shutdown: &CancellationToken) {
    while !shutdown.is_cancelled() {
        if let Err(error) = erase_due(state, broker).await {
            tracing::warn!(%error, "the events of a closed account are not erased yet; trying again");
        }
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}

/// Erases every closed account that is due; answers their number.
pub async fn erase_due(state: &State, broker: &Broker) -> Result<usize, ErasureError> {
    let mut erased = 0;
    while let Some(user) = claim(state).await? {
        if erase::before::<UserEvent>(&state.pool, broker, user.0, UserEvent::DELETED).await? {
            mark_done(state, user).await?;
            erased += 1;
        }
    }
    Ok(erased)
}

/// The reason why an account was not erased.
#[derive(Debug, thiserror::Error)]
pub enum ErasureError {
    #[error(transparent)]
    Account(#[from] Error),
    #[error(transparent)]
    Events(#[from] EraseError),
}

/// Claims the account that has waited longest for `LEASE`.
async fn claim(state: &State) -> Result<Option<UserId>, Error> {
    let now = state.clock.now();
    let user = sqlx::query_scalar!(
        "update erasures set next_attempt_at = $2
         where user_id = (
            select user_id from erasures where next_attempt_at <= $1
            order by next_attempt_at limit 1 for update skip locked
         )
         returning user_id",
        now,
        now + LEASE,
    );
    Ok(user.fetch_optional(&state.pool).await?.map(UserId))
}

/// Deletes an erasure after its second run, or plans the second run.
async fn mark_done(state: &State, user: UserId) -> Result<(), Error> {
    let now = state.clock.now();
    let done = sqlx::query!(
        "delete from erasures where user_id = $1 and erased_at is not null",
        user.0
    )
    .execute(&state.pool)
    .await?;
    if done.rows_affected() == 0 {
        sqlx::query!(
            "update erasures set erased_at = $2, next_attempt_at = $3 where user_id = $1",
            user.0,
            now,
            now + SECOND_RUN_AFTER,
        )
        .execute(&state.pool)
        .await?;
    }
    Ok(())
}
