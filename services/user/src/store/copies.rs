//! The table `copies`.

use sqlx::{PgConnection, PgPool};
use tiffin_events::UserId;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{Error, resets::Language};

/// The time that a process has for an attempt after each sign of life before another begins again.
pub(crate) const LEASE: Duration = Duration::minutes(2);
/// The time for which a copy can be downloaded, and the failure of one is shown.
pub(crate) const KEPT: Duration = Duration::days(7);

/// The state of an account's copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopyState {
    Waiting,
    Ready,
    Failed,
}

/// An account's copy, without its content.
#[derive(Clone, Debug)]
pub(crate) struct Copy {
    pub id: Uuid,
    pub state: CopyState,
    pub requested_at: OffsetDateTime,
    pub due_at: OffsetDateTime,
    pub attempt: i32,
    pub missing: Option<String>,
    pub size: Option<i64>,
}

/// A copy that this process makes, for as long as it renews its claim, or whose file it removes.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub id: Uuid,
    pub user: UserId,
    pub language: Language,
    pub requested_at: OffsetDateTime,
    pub attempt: i32,
}

/// A reason to claim a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    Make,
    Remove,
}

/// Requests a copy in place of the one before. False if one is being made.
pub(crate) async fn request(
    tx: &mut PgConnection,
    id: Uuid,
    user: UserId,
    language: Language,
    now: OffsetDateTime,
) -> Result<bool, Error> {
    sqlx::query!(
        "update copies set state = 'gone', due_at = $2 where user_id = $1 and state in ('ready', 'failed')",
        user.0,
        now,
    )
    .execute(&mut *tx)
    .await?;
    let inserted = sqlx::query!(
        "insert into copies (id, user_id, language, state, requested_at, due_at)
         values ($1, $2, $3, 'waiting', $4, $4)
         on conflict (user_id) where state <> 'gone' do nothing",
        id,
        user.0,
        language.code(),
        now,
    );
    Ok(inserted.execute(tx).await?.rows_affected() == 1)
}

/// The account's copy, unless its time is over.
pub(crate) async fn find(
    pool: &PgPool,
    user: UserId,
    now: OffsetDateTime,
) -> Result<Option<Copy>, Error> {
    let row = sqlx::query!(
        "select id, state, requested_at, due_at, attempts, missing, size from copies
         where user_id = $1 and state <> 'gone' and (state = 'waiting' or due_at > $2)",
        user.0,
        now,
    );
    Ok(row.fetch_optional(pool).await?.map(|row| Copy {
        id: row.id,
        state: match &*row.state {
            "ready" => CopyState::Ready,
            "failed" => CopyState::Failed,
            _ => CopyState::Waiting,
        },
        requested_at: row.requested_at,
        due_at: row.due_at,
        attempt: row.attempts,
        missing: row.missing,
        size: row.size,
    }))
}

/// Takes away the account's copy, in the transaction that closes the account. Its file is removed next.
pub(crate) async fn withdraw(
    tx: &mut PgConnection,
    user: UserId,
    now: OffsetDateTime,
) -> Result<(), Error> {
    sqlx::query!(
        "update copies set state = 'gone', due_at = $2 where user_id = $1",
        user.0,
        now
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Claims the copy that has been due for longest: to make it, or to remove one that is gone or whose time is over.
pub(crate) async fn claim(
    pool: &PgPool,
    now: OffsetDateTime,
    work: Work,
) -> Result<Option<Claim>, Error> {
    let row = sqlx::query!(
        "update copies
         set due_at = $2, attempts = attempts + 1,
             state = case when state = 'waiting' then 'waiting' else 'gone' end
         where id = (
            select id from copies where due_at <= $1 and (state = 'waiting') = $3
            order by due_at limit 1 for update skip locked
         )
         returning id, user_id, language, requested_at, attempts",
        now,
        now + LEASE,
        work == Work::Make,
    );
    Ok(row.fetch_optional(pool).await?.map(|row| Claim {
        id: row.id,
        user: UserId(row.user_id),
        language: Language::read(&row.language),
        requested_at: row.requested_at,
        attempt: row.attempts,
    }))
}

/// Prolongs a claim. False if it is lost: the account is closed, or another process has begun.
pub(crate) async fn renew(
    pool: &PgPool,
    claim: &Claim,
    now: OffsetDateTime,
) -> Result<bool, Error> {
    let renewed = sqlx::query!(
        "update copies set due_at = $3 where id = $1 and attempts = $2 and state = 'waiting'",
        claim.id,
        claim.attempt,
        now + LEASE,
    );
    Ok(renewed.execute(pool).await?.rows_affected() == 1)
}

/// Ends a claim with the file. False if it is lost.
pub(crate) async fn mark_ready(
    tx: &mut PgConnection,
    claim: &Claim,
    size: i64,
    until: OffsetDateTime,
) -> Result<bool, Error> {
    let ended = sqlx::query!(
        "update copies set state = 'ready', size = $3, due_at = $4, missing = null
         where id = $1 and attempts = $2 and state = 'waiting'",
        claim.id,
        claim.attempt,
        size,
        until,
    );
    Ok(ended.execute(tx).await?.rows_affected() == 1)
}

/// Ends a claim for good without a file. False if it is lost.
pub(crate) async fn mark_failed(
    tx: &mut PgConnection,
    claim: &Claim,
    missing: Option<&str>,
    until: OffsetDateTime,
) -> Result<bool, Error> {
    let ended = sqlx::query!(
        "update copies set state = 'failed', missing = $3, due_at = $4
         where id = $1 and attempts = $2 and state = 'waiting'",
        claim.id,
        claim.attempt,
        missing,
        until,
    );
    Ok(ended.execute(tx).await?.rows_affected() == 1)
}

/// Ends an attempt and plans the next one.
pub(crate) async fn postpone(
    pool: &PgPool,
    claim: &Claim,
    missing: Option<&str>,
    next: OffsetDateTime,
) -> Result<(), Error> {
    sqlx::query!(
        "update copies set missing = $3, due_at = $4
         where id = $1 and attempts = $2 and state = 'waiting'",
        claim.id,
        claim.attempt,
        missing,
        next,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Deletes the row of a copy whose file is removed.
pub(crate) async fn delete(pool: &PgPool, id: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from copies where id = $1 and state = 'gone'", id)
        .execute(pool)
        .await?;
    Ok(())
}
