//! The mail queue: notifications whose mail is not sent yet.

use sqlx::PgPool;
use tiffin_chassis::mail::Mailer;
use tiffin_events::NotificationId;
use time::{Duration, OffsetDateTime};

use super::Row;
use crate::{Error, notification::Notification};

/// The time that a worker has to record the result, in addition to the time for sending.
const MARGIN: Duration = Duration::minutes(1);

/// Takes the mail that has waited longest, with the number of the attempt. No transaction is open while it
/// is sent.
///
/// Another worker takes it only after the longest time that `mailer` needs to send, so that a slow server
/// never gets it twice. Only if a worker dies while it sends may the mail go out again, with the same
/// `Message-ID`.
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

/// Postpones a mail to its next attempt.
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
