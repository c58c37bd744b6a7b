//! The worker of the mail queue.

use sqlx::PgPool;
use tiffin_chassis::mail::{Mail, MailError, Mailer};
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{Error, State, resets};

/// The time that one worker has for a mail before another takes it.
const LEASE: Duration = Duration::seconds(Mailer::LONGEST.as_secs().cast_signed() + 60);
/// The interval of looking for mails to try again, unless the worker is woken.
const POLL_INTERVAL: std::time::Duration = std::time::Duration::from_secs(5);
/// The seconds between one attempt and the next.
const RETRY_DELAYS: [i64; 5] = [1, 5, 15, 60, 120];

/// Sends mails that are due, until `shutdown`.
pub(crate) async fn run(state: &State, shutdown: &CancellationToken) {
    while !shutdown.is_cancelled() {
        match send_due(state).await {
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "the mail queue can't be read; trying again"),
        }
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = state.mail_waits.notified() => {}
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}

/// Writes the mails that were asked for and sends every mail that is due; answers the number of those sent.
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
            Err(MailError::Never(reason)) => {
                tracing::error!(mail = %id, reason, "a mail can't be sent");
                remove(&state.pool, id).await?;
            }
            Err(MailError::Later(reason)) => {
                tracing::warn!(mail = %id, attempts, reason, "a mail was not sent; trying again");
                retry_later(&state.pool, state.clock.now(), id, attempts).await?;
            }
        }
    }
    Ok(sent)
}

/// Claims the mail that has waited longest for `LEASE`. No transaction is open while it is sent.
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

async fn retry_later(
    pool: &PgPool,
    now: OffsetDateTime,
    id: Uuid,
    attempts: i32,
) -> Result<(), Error> {
    let nth = usize::try_from(attempts - 1)
        .unwrap_or_default()
        .min(RETRY_DELAYS.len() - 1);
    let next = now + Duration::seconds(RETRY_DELAYS[nth]);
    sqlx::query!(
        "update mails set next_attempt_at = $2 where id = $1",
        id,
        next
    )
    .execute(pool)
    .await?;
    Ok(())
}
