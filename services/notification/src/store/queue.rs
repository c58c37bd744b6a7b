//! The mail queue: notifications whose mail waits.

use sqlx::PgPool;
use tiffin_chassis::mail::Mailer;
use tiffin_events::NotificationId;
use time::{Duration, OffsetDateTime};

use super::Row;
use crate::{Error, notification::Notification};

/// The time that a worker has to record the mail's result, beside the time that sending takes.
const MARGIN: Duration = Duration::minutes(1);

/// Takes up the mail that has waited longest; answers which try it is. No transaction is open while
/// it is sent.
///
/// Another worker takes it up where this one has not finished within the longest that `mailer` takes to
/// send, so that a slow server is never given it twice. A worker that dies with a mail in hand is the
/// one case in which it may go out again, under the same `Message-ID`.
pub async fn take(
    pool: &PgPool,
    mailer: &Mailer,
    now: OffsetDateTime,
) -> Result<Option<(Notification, i32)>, Error> {
    let lease = mailer.longest() + MARGIN;
    let mut tx = pool.begin().await?;
    let attempt = sqlx::query!(
        "update notifications set mail_attempts = mail_attempts + 1, mail_due_at = $2
         where id = (
            select id from notifications where mail = 'waiting' and mail_due_at <= $1
            order by mail_due_at limit 1 for update skip locked
         )
         returning id, mail_attempts",
        now,
        now + lease,
    );
    let Some(attempt) = attempt.fetch_optional(&mut *tx).await? else {
        return Ok(None);
    };
    let row = sqlx::query_as!(
        Row,
        "select id, version, user_id, topic, text, order_id, order_code, delivery_id, read, happened_at, source_id, mail, push, in_app
         from notifications where id = $1",
        attempt.id,
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(Some((row.try_into()?, attempt.mail_attempts)))
}

/// Lets a mail wait for its next try.
pub async fn put_off(
    pool: &PgPool,
    id: NotificationId,
    until: OffsetDateTime,
) -> Result<(), Error> {
    sqlx::query!(
        "update notifications set mail_due_at = $2 where id = $1 and mail = 'waiting'",
        id.0,
        until
    )
    .execute(pool)
    .await?;
    Ok(())
}
