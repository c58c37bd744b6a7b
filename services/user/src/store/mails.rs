//! The table `mails`: the mail queue.

use sqlx::{PgConnection, PgPool};
use tiffin_chassis::mail::{Mail, Mailer};
use tiffin_events::Clock;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{Error, mails::MailText};

/// The time that one worker has for a mail before another takes it.
const LEASE: Duration = Duration::seconds(Mailer::LONGEST.as_secs().cast_signed() + 60);

pub(crate) async fn insert(
    tx: &mut PgConnection,
    clock: &Clock,
    to: &str,
    lifetime: Duration,
    text: MailText,
) -> Result<(), Error> {
    let now = clock.now();
    sqlx::query!(
        "insert into mails (id, recipient, subject, text_body, html_body, next_attempt_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
        clock.new_id(),
        to,
        text.subject,
        text.text,
        text.html,
        now,
        now + lifetime,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Claims the mail that has waited longest for `LEASE`. No transaction is open while it is sent.
pub(crate) async fn claim(
    pool: &PgPool,
    now: OffsetDateTime,
) -> Result<Option<(Mail, i32)>, Error> {
    let row = sqlx::query!(
        "update mails set attempts = attempts + 1, next_attempt_at = $2
         where id = (
            select id from mails where next_attempt_at <= $1
            order by next_attempt_at limit 1 for update skip locked
         )
         returning id, recipient, subject, text_body, html_body, attempts",
        now,
        now + LEASE,
    );
    Ok(row.fetch_optional(pool).await?.map(|row| {
        let (text, html) = (row.text_body, row.html_body);
        (
            Mail {
                id: row.id,
                to: row.recipient,
                subject: row.subject,
                text,
                html,
                date: now,
            },
            row.attempts,
        )
    }))
}

pub(crate) async fn delete(pool: &PgPool, id: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from mails where id = $1", id)
        .execute(pool)
        .await?;
    Ok(())
}

/// Postpones a mail to its next attempt.
pub(crate) async fn postpone(pool: &PgPool, id: Uuid, next: OffsetDateTime) -> Result<(), Error> {
    sqlx::query!(
        "update mails set next_attempt_at = $2 where id = $1",
        id,
        next
    )
    .execute(pool)
    .await?;
    Ok(())
}

pub(crate) async fn delete_expired(pool: &PgPool, now: OffsetDateTime) -> Result<(), Error> {
    sqlx::query!("delete from mails where expires_at < $1", now)
        .execute(pool)
        .await?;
    Ok(())
}

/// Deletes the queued mails to an address.
pub(crate) async fn delete_to(tx: &mut PgConnection, email: &str) -> Result<(), Error> {
    sqlx::query!("delete from mails where recipient = $1", email)
        .execute(tx)
        .await?;
    Ok(())
}
