//! The worker that sends the mail of notifications.

use std::time::Duration as Pause;

use futures_util::future::try_join_all;
use tiffin_chassis::mail::MailError;
use tiffin_events::notification::Channel;
use time::Duration;
use tokio_util::sync::CancellationToken;

use crate::{
    Error, State, mail,
    notification::Notification,
    store::{self, orders, people, queue},
};

/// The interval between looks for mail that is due when the worker isn't woken.
const LOOKS_EVERY: Pause = Pause::from_secs(5);
/// The pause after waking, because the transaction that woke the worker may still have to commit.
const COMMITS_WITHIN: Pause = Pause::from_millis(50);
/// The number of mails that are sent at the same time.
const AT_ONCE: usize = 4;
/// The seconds between one attempt and the next. After the last attempt the mail has failed.
const BACK_OFF: [i64; 6] = [1, 5, 30, 120, 600, 3600];

/// The result of one attempt.
enum Outcome {
    Sent,
    /// A sentence without names.
    Failed(String),
    Later(String),
}

/// Sends mail that is due until `shutdown`.
pub(crate) async fn run(state: &State, shutdown: &CancellationToken) {
    while !shutdown.is_cancelled() {
        if let Err(error) = send_due(state).await {
            tracing::warn!(%error, "the mail queue can't be read; trying again");
        }
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = state.mail_waits.notified() => tokio::time::sleep(COMMITS_WITHIN).await,
            () = tokio::time::sleep(LOOKS_EVERY) => {}
        }
    }
}

/// Tries every mail that is due once, and returns the number that was sent. Several are sent at a time, so
/// that a slow server holds up few others.
pub async fn send_due(state: &State) -> Result<usize, Error> {
    let sent = try_join_all((0..AT_ONCE).map(|_| send_one_by_one(state))).await?;
    Ok(sent.into_iter().sum())
}

async fn send_one_by_one(state: &State) -> Result<usize, Error> {
    let mut sent = 0;
    while let Some((notification, attempt)) =
        queue::take(&state.pool, &state.mailer, state.clock.now()).await?
    {
        let outcome = match send(state, &notification).await? {
            Outcome::Later(reason) => match back_off(attempt) {
                Some(pause) => {
                    tracing::warn!(notification = %notification.id, attempt, reason, "a mail was not sent");
                    queue::put_off(&state.pool, notification.id, state.clock.now() + pause).await?;
                    continue;
                }
                None => Outcome::Failed(reason),
            },
            outcome => outcome,
        };
        sent += usize::from(matches!(outcome, Outcome::Sent));
        finish(state, &notification, &outcome).await?;
    }
    Ok(sent)
}

async fn send(state: &State, notification: &Notification) -> Result<Outcome, Error> {
    let mut conn = state.pool.acquire().await?;
    let reader = people::find(&mut conn, notification.user).await?;
    let more = orders::has_more(&mut conn, notification.order_id).await?;
    drop(conn);
    let Some(reader) = reader else {
        return Ok(Outcome::Later("The reader is not known yet.".to_owned()));
    };
    let mail = match mail::write(
        notification,
        &reader,
        more,
        state.site.as_deref(),
        state.clock.now(),
    ) {
        Ok(mail) => mail,
        Err(reason) => return Ok(Outcome::Failed(reason.to_string())),
    };
    // The server's answer may name the reader, so it goes to the log and not into an event.
    Ok(match state.mailer.send(mail).await {
        Ok(()) => Outcome::Sent,
        Err(MailError::Never(words)) => {
            tracing::warn!(notification = %notification.id, words, "a mail was refused");
            Outcome::Failed(
                "The mail server refused it, or did not say that it took it.".to_owned(),
            )
        }
        Err(MailError::Later(words)) => {
            tracing::debug!(notification = %notification.id, words, "a mail has to wait");
            Outcome::Later("The mail server did not take it.".to_owned())
        }
    })
}

async fn finish(
    state: &State,
    notification: &Notification,
    outcome: &Outcome,
) -> Result<(), Error> {
    let mut tx = state.pool.begin().await?;
    tiffin_bus::change(
        &mut tx,
        &state.clock,
        &store::cause(notification),
        notification.id,
        |notification: &mut Notification| {
            Ok(match outcome {
                Outcome::Sent => notification.sent(Channel::Mail),
                Outcome::Failed(reason) | Outcome::Later(reason) => {
                    notification.failed(Channel::Mail, reason)
                }
            })
        },
    )
    .await?;
    tx.commit().await?;
    Ok(())
}

pub(crate) fn back_off(attempt: i32) -> Option<Duration> {
    let nth = usize::try_from(attempt - 1).ok()?;
    BACK_OFF.get(nth).copied().map(Duration::seconds)
}
