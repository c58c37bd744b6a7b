//! Erasure of closed accounts: the personal data of an account's events is removed from the stream USERS
//! and from the outbox. A task tries it until it succeeds: closing an account must not wait for the broker,
//! and the broker must have the account's last event first.

use sqlx::PgConnection;
use tiffin_bus::{
    Broker,
    erase::{self, EraseError},
};
use tiffin_chassis::repeat::repeat;
use tiffin_events::{UserId, user::UserEvent};
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use crate::{Error, State};

/// The time that one worker has before another takes the task, and the pause before the next attempt.
const PAUSE: Duration = Duration::seconds(30);
/// The time of the second run: a republication that was under way may have restored some of it.
const ONCE_MORE: Duration = Duration::hours(1);
/// The interval of looking for due tasks when the worker isn't woken.
const LOOKS_EVERY: std::time::Duration = std::time::Duration::from_secs(5);

/// Asks for an account's past to be forgotten, in the transaction that removes it.
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

/// Forgets what is due, and goes on until `shutdown`.
pub(crate) async fn eraser(state: &State, broker: &Broker, shutdown: &CancellationToken) {
    repeat(LOOKS_EVERY, shutdown, || async {
        if let Err(error) = erase_due(state, broker).await {
            tracing::warn!(%error, "the events of a closed account are not erased yet; trying again");
        }
    })
    .await;
}

/// Forgets every past that is due; answers how many were.
pub async fn erase_due(state: &State, broker: &Broker) -> Result<usize, ErasureError> {
    let mut erased = 0;
    while let Some(user) = claim(state).await? {
        if erase::before::<UserEvent>(&state.pool, broker, user.0, UserEvent::DELETED).await? {
            settle(state, user).await?;
            erased += 1;
        }
    }
    Ok(erased)
}

/// The reason why a past was not erased.
#[derive(Debug, thiserror::Error)]
pub enum ErasureError {
    #[error(transparent)]
    Here(#[from] Error),
    #[error(transparent)]
    There(#[from] EraseError),
}

/// Takes up the account that has waited longest; others leave it alone meanwhile.
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
        now + PAUSE,
    );
    Ok(user.fetch_optional(&state.pool).await?.map(UserId))
}

/// Marks a task as done: after the first run, or after the second.
async fn settle(state: &State, user: UserId) -> Result<(), Error> {
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
            now + ONCE_MORE,
        )
        .execute(&state.pool)
        .await?;
    }
    Ok(())
}
