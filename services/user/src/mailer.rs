//! The worker of the mail queue.

use tiffin_chassis::{mail::MailError, repeat::repeat_or_notified};
use time::Duration;
use tokio_util::sync::CancellationToken;

use crate::{Error, State, resets, store::mails};

/// The interval of looking for mails to try again, unless the worker is woken.
const POLL_INTERVAL: std::time::Duration = std::time::Duration::from_secs(5);
/// The seconds between one attempt and the next.
const RETRY_DELAYS: [i64; 5] = [1, 5, 15, 60, 120];

/// Sends mails that are due, until `shutdown`.
pub(crate) async fn run(state: &State, shutdown: &CancellationToken) {
    let woken = (&*state.mail_waits, std::time::Duration::ZERO);
    repeat_or_notified(POLL_INTERVAL, woken, shutdown, || async {
        if let Err(error) = send_due(state).await {
            tracing::warn!(%error, "the mail queue can't be read; trying again");
        }
    })
    .await;
}

/// Writes the mails that were asked for and sends every mail that is due; answers the number of those sent.
pub async fn send_due(state: &State) -> Result<usize, Error> {
    resets::write_due(state).await?;
    let mut sent = 0;
    mails::delete_expired(&state.pool, state.clock.now()).await?;
    while let Some((mail, attempts)) = mails::claim(&state.pool, state.clock.now()).await? {
        let id = mail.id;
        match state.mailer.send(mail).await {
            Ok(()) => {
                mails::delete(&state.pool, id).await?;
                sent += 1;
            }
            Err(MailError::Permanent(reason)) => {
                tracing::error!(mail = %id, reason, "a mail can't be sent");
                mails::delete(&state.pool, id).await?;
            }
            Err(MailError::Temporary(reason)) => {
                tracing::warn!(mail = %id, attempts, reason, "a mail was not sent; trying again");
                mails::postpone(&state.pool, id, state.clock.now() + retry_delay(attempts)).await?;
            }
        }
    }
    Ok(sent)
}

/// The pause after an attempt; the attempts count from 1.
fn retry_delay(attempts: i32) -> Duration {
    let nth = usize::try_from(attempts - 1)
        .unwrap_or_default()
        .min(RETRY_DELAYS.len() - 1);
    Duration::seconds(RETRY_DELAYS[nth])
}
