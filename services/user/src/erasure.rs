//! Erasure of closed accounts: the personal data of an account's events is removed from the stream USERS
//! and from the outbox. A task tries it until it succeeds: closing an account must not wait for the broker,
//! and the broker must have the account's last event first.

use tiffin_bus::{
    Broker,
    erase::{self, EraseError},
};
use tiffin_chassis::repeat::repeat;
use tiffin_events::user::UserEvent;
use tokio_util::sync::CancellationToken;

use crate::{Error, State, store::erasures};

/// The interval of looking for due erasures.
const POLL_INTERVAL: std::time::Duration = std::time::Duration::from_secs(5);

/// Erases closed accounts that are due, until `shutdown`.
pub(crate) async fn run(state: &State, broker: &Broker, shutdown: &CancellationToken) {
    repeat(POLL_INTERVAL, shutdown, || async {
        if let Err(error) = erase_due(state, broker).await {
            tracing::warn!(%error, "the events of a closed account are not erased yet; trying again");
        }
    })
    .await;
}

/// Erases every closed account that is due; answers their number.
pub async fn erase_due(state: &State, broker: &Broker) -> Result<usize, ErasureError> {
    let mut erased = 0;
    while let Some(user) = erasures::claim(&state.pool, state.clock.now()).await? {
        if erase::before::<UserEvent>(&state.pool, broker, user.0, UserEvent::DELETED).await? {
            erasures::mark_done(&state.pool, state.clock.now(), user).await?;
            erased += 1;
        }
    }
    Ok(erased)
}

/// The reason why an account was not erased.
#[derive(Debug, thiserror::Error)]
pub enum ErasureError {
    #[error(transparent)]
    Account(#[from] Error),
    #[error(transparent)]
    Events(#[from] EraseError),
}
