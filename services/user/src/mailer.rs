//! The worker of the mail queue.

use sqlx::PgPool;
use tiffin_chassis::{
    mail::{Mail, MailError, Mailer},
    repeat::repeat_or_notified,
};
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{Error, State, resets};

/// The time that one worker has for a mail before another takes it.
const LEASE: Duration = Duration::seconds(Mailer::LONGEST.as_secs().cast_signed() + 60);
/// The interval of looking for mails to try again when the worker isn't woken.
const LOOKS_EVERY: std::time::Duration = std::time::Duration::from_secs(5);
/// The seconds between one try and the next.
const BACK_OFF: [i64; 5] = [1, 5, 15, 60, 120];

/// Sends what is due, and goes on until `shutdown`.
pub(crate) async fn run(state: &State, shutdown: &CancellationToken) {
    let woken = (&*state.mail_waits, std::time::Duration::ZERO);
    repeat_or_notified(LOOKS_EVERY, woken, shutdown, || async {
        if let Err(error) = send_due(state).await {
            tracing::warn!(%error, "the mail queue can't be read; trying again");
        }
    })
    .await;
}

/// Writes the mails that were asked for and sends every one that is due; answers how many left.
pub async fn send_due(state: &State) -> Result<usize, Error> {
    resets::write_due(state).await?;
    let mut sent = 0;
    sqlx::query!("delete from mails where expires_at < $1", state.clock.now())
        .execute(&state.pool)
        .await?;
    while let Some((mail, attempts)) = claim(&state.pool, state.clock.now()).await? {
        let id = mail.id;
        match state.mailer.send(mail).await {
            Ok(()) => {
                remove(&state.pool, id).await?;
                sent += 1;
            }
            Err(MailError::Permanent(reason)) => {
                tracing::error!(mail = %id, reason, "a mail can't be sent");
                remove(&state.pool, id).await?;
            }
            Err(MailError::Temporary(reason)) => {
                tracing::warn!(mail = %id, attempts, reason, "a mail was not sent; trying again");
                put_off(&state.pool, state.clock.now(), id, attempts).await?;
            }
        }
    }
    Ok(sent)
}

/// Takes up the mail that has waited longest. No transaction is open while it is sent.
async fn claim(pool: &PgPool, now: OffsetDateTime) -> Result<Option<(Mail, i32)>, Error> {
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

async fn remove(pool: &PgPool, id: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from mails where id = $1", id)
        .execute(pool)
        .await?;
    Ok(())
}

async fn put_off(pool: &PgPool, now: OffsetDateTime, id: Uuid, attempts: i32) -> Result<(), Error> {
    let nth = usize::try_from(attempts - 1)
        .unwrap_or_default()
        .min(BACK_OFF.len() - 1);
    let next = now + Duration::seconds(BACK_OFF[nth]);
    sqlx::query!(
        "update mails set next_attempt_at = $2 where id = $1",
        id,
        next
    )
    .execute(pool)
    .await?;
    Ok(())
}
