//! The mail queue: notifications whose mail is not sent yet.

use std::collections::HashMap;

use sqlx::{PgConnection, PgPool};
use tiffin_chassis::mail::Mailer;
use tiffin_events::NotificationId;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::NotificationRow;
use crate::{Error, mailer::CONCURRENCY, notification::Notification};

/// The time that a worker has to record the result, in addition to the time for sending.
const RECORD_TIME: Duration = Duration::minutes(1);

/// A mail that is to be sent.
#[derive(Debug)]
pub struct DueMail {
    pub notification: Notification,
    /// The number of this attempt.
    pub attempt: i32,
}

/// Claims the mails that have waited longest. No transaction is open while they are sent.
///
/// Another worker claims them only after the longest time that `mailer` needs to send all of them, so that a
/// slow server never gets one twice. Only if a worker dies while it sends may a mail go out again, with the
/// same `Message-ID`.
pub async fn claim(
    pool: &PgPool,
    mailer: &Mailer,
    now: OffsetDateTime,
    most: usize,
) -> Result<Vec<DueMail>, Error> {
    let turns = u32::try_from(most.div_ceil(CONCURRENCY)).unwrap_or(u32::MAX);
    let lease = mailer.longest() * turns + RECORD_TIME;
    let mut tx = tiffin_database::begin(pool).await?;
    let attempts = sqlx::query!(
        "update notifications set mail_attempts = mail_attempts + 1, mail_due_at = $2
         where id in (
            select id from notifications where mail = 'waiting' and mail_due_at <= $1
            order by mail_due_at limit $3 for update skip locked
         )
         returning id, mail_attempts",
        now,
        now + lease,
        i64::try_from(most).unwrap_or(i64::MAX),
    )
    .fetch_all(&mut *tx)
    .await?;
    if attempts.is_empty() {
        return Ok(Vec::new());
    }
    let attempts: HashMap<Uuid, i32> = attempts
        .into_iter()
        .map(|row| (row.id, row.mail_attempts))
        .collect();
    let ids: Vec<Uuid> = attempts.keys().copied().collect();
    let rows = sqlx::query_as!(
        NotificationRow,
        "select id, version, user_id, topic, text, order_id, order_code, delivery_id, read, happened_at, source_id, mail, push, in_app, bundle_id
         from notifications where id = any ($1) order by id",
        &ids,
    )
    .fetch_all(&mut *tx)
    .await?;
    tx.commit().await?;
    rows.into_iter()
        .map(|row| {
            let attempt = attempts.get(&row.id).copied().unwrap_or_default();
            let notification = row.try_into()?;
            Ok(DueMail {
                notification,
                attempt,
            })
        })
        .collect()
}

/// Postpones a mail to its next attempt.
pub async fn postpone(
    tx: &mut PgConnection,
    id: NotificationId,
    until: OffsetDateTime,
) -> Result<(), Error> {
    sqlx::query!(
        "update notifications set mail_due_at = $2 where id = $1 and mail = 'waiting'",
        id.0,
        until
    )
    .execute(tx)
    .await?;
    Ok(())
}
