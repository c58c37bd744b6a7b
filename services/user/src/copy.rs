//! People's copies: all that the services hold about an account, in one ZIP in the store of copies, for a week.
//!
//! A task makes them. Its claim of a row ends unless it is renewed, so that another process begins again after one was
//! killed. A service that does not answer delays a copy; after a day the copy fails and names the service.

mod gather;
mod mails;
mod texts;
mod zip_file;

use tiffin_bus::Broker;
use tiffin_chassis::{
    repeat::{COMMIT_PAUSE, repeat_or_notified},
    storage::Place,
};
use time::Duration;
use tokio_util::sync::CancellationToken;

use self::gather::GatherError;
use crate::{
    Error, State,
    store::{
        self,
        copies::{self, Claim, KEPT, Work},
    },
};

/// The store of copies.
pub(crate) const COPIES: Place = Place {
    url: "TIFFIN_COPIES_URL",
    folder: "TIFFIN_COPIES_DIR",
    default: "copies",
    things: "copies",
};
/// The name that a copy is downloaded under.
pub(crate) const FILE_NAME: &str = "tiffin-copy.zip";

/// The interval of looking for due copies, unless the task is woken.
const POLL_INTERVAL: std::time::Duration = std::time::Duration::from_secs(5);
/// The seconds between one attempt and the next.
const RETRY_DELAYS: [i64; 5] = [10, 30, 60, 300, 600];
/// The time after which a copy that can't be made fails.
const GIVE_UP_AFTER: Duration = Duration::days(1);

/// Makes copies that are due, until `shutdown`.
pub(crate) async fn run(state: &State, broker: &Broker, shutdown: &CancellationToken) {
    let woken = (&*state.copy_waits, COMMIT_PAUSE);
    repeat_or_notified(POLL_INTERVAL, woken, shutdown, || async {
        tokio::select! {
            () = shutdown.cancelled() => {}
            made = make_due(state, broker) => if let Err(error) = made {
                tracing::warn!(%error, "copies can't be made; trying again");
            }
        }
    })
    .await;
}

/// Removes the files of closed accounts and of copies whose time is over, until `shutdown`. It waits for no copy that is
/// being made.
pub(crate) async fn run_removal(state: &State, shutdown: &CancellationToken) {
    let woken = (&*state.copy_leaves, COMMIT_PAUSE);
    repeat_or_notified(POLL_INTERVAL, woken, shutdown, || async {
        if let Err(error) = remove_due(state).await {
            tracing::warn!(%error, "a copy can't be removed; trying again");
        }
    })
    .await;
}

/// Makes every copy that is due, and returns the number of attempts.
pub async fn make_due(state: &State, broker: &Broker) -> Result<usize, Error> {
    let mut handled = 0;
    while let Some(claim) = copies::claim(&state.pool, state.clock.now(), Work::Make).await? {
        make(state, broker, &claim).await?;
        handled += 1;
    }
    Ok(handled)
}

/// Removes every copy that is gone or whose time is over, and returns their number.
pub async fn remove_due(state: &State) -> Result<usize, Error> {
    let mut removed = 0;
    while let Some(claim) = copies::claim(&state.pool, state.clock.now(), Work::Remove).await? {
        state.copies.remove(claim.id).await?;
        copies::delete(&state.pool, claim.id).await?;
        removed += 1;
    }
    Ok(removed)
}

/// The key of the file that an attempt makes.
pub(crate) fn key(attempt: i32) -> String {
    format!("{attempt}.zip")
}

async fn make(state: &State, broker: &Broker, claim: &Claim) -> Result<(), Error> {
    match gather::gather(state, broker, claim).await {
        Ok(size) => finish(state, claim, size).await,
        Err(GatherError::Lost) => {
            // Another process has begun, or the account is closed: the row's next owner removes the rest.
            tracing::info!(copy = %claim.id, "a copy is not made any more by this process");
            if !is_waiting(state, claim).await? {
                state.copies.remove(claim.id).await?;
            }
            Ok(())
        }
        Err(error) => try_again(state, claim, &error).await,
    }
}

async fn is_waiting(state: &State, claim: &Claim) -> Result<bool, Error> {
    let now = state.clock.now();
    let copy = copies::find(&state.pool, claim.user, now).await?;
    Ok(copy.is_some_and(|copy| copy.id == claim.id))
}

/// The copy is ready, and the mail that says so waits, in one transaction.
async fn finish(state: &State, claim: &Claim, size: i64) -> Result<(), Error> {
    let until = state.clock.now() + KEPT;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let user = store::lock_shared(&mut tx, claim.user).await?;
    let is_ready = match &user {
        Some(_) => copies::mark_ready(&mut tx, claim, size, until).await?,
        None => false,
    };
    if let Some(user) = user.filter(|_| is_ready) {
        mails::queue_ready(&mut tx, state, &user, claim.language, until).await?;
        tx.commit().await?;
        state.mail_waits.notify_one();
        return Ok(());
    }
    tx.rollback().await?;
    if !is_waiting(state, claim).await? {
        state.copies.remove(claim.id).await?;
    }
    Ok(())
}

async fn try_again(state: &State, claim: &Claim, error: &GatherError) -> Result<(), Error> {
    let (now, missing) = (state.clock.now(), error.service());
    if now - claim.requested_at < GIVE_UP_AFTER {
        tracing::warn!(copy = %claim.id, attempt = claim.attempt, %error, "a copy is not made yet; trying again");
        return copies::postpone(
            &state.pool,
            claim,
            missing,
            now + retry_delay(claim.attempt),
        )
        .await;
    }
    tracing::error!(copy = %claim.id, %error, "a copy can't be made; a mail says so");
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let user = store::lock_shared(&mut tx, claim.user).await?;
    if copies::mark_failed(&mut tx, claim, missing, now + KEPT).await?
        && let Some(user) = user
    {
        mails::queue_failed(&mut tx, state, &user, claim.language, missing).await?;
    }
    tx.commit().await?;
    state.mail_waits.notify_one();
    state.copies.remove(claim.id).await?;
    Ok(())
}

/// The pause after an attempt; the attempts count from 1.
fn retry_delay(attempt: i32) -> Duration {
    let nth = usize::try_from(attempt - 1).unwrap_or_default();
    Duration::seconds(RETRY_DELAYS[nth.min(RETRY_DELAYS.len() - 1)])
}
