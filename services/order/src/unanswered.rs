//! The worker that reminds restaurants of orders that wait for their answer, and refuses those whose deadline
//! has passed. Deadlines are in the rows, so that a killed process misses none. Several processes may look at the
//! same order: its lock lets one of them act.

use std::time::Duration;

use futures_util::{StreamExt, stream};
use tiffin_bus::{Cause, fault};
use tiffin_chassis::repeat::repeat;
use tiffin_events::OrderId;
use tokio_util::sync::CancellationToken;

use crate::{NAME, State, error::Error, order::Order, store::orders};

/// The interval between looks for orders that are due.
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// The number of orders that are looked for at once.
const BATCH_SIZE: i64 = 200;
/// The most orders that are settled at the same time: a part of the pool's connections.
const AT_ONCE: usize = 4;

/// Settles orders that are due until `shutdown`.
pub(crate) async fn run(state: &State, shutdown: &CancellationToken) {
    repeat(POLL_INTERVAL, shutdown, || async {
        if let Err(error) = settle_due(state).await {
            tracing::warn!(%error, "unanswered orders can't be read; trying again");
        }
    })
    .await;
}

/// Reminds of or refuses every order that is due, and returns the number of those that changed. An order that fails
/// is tried again in the next round and holds up no other.
pub async fn settle_due(state: &State) -> Result<usize, Error> {
    let mut settled = 0;
    let mut after = None;
    loop {
        let mut db = state.pool.acquire().await?;
        let due = orders::due(&mut db, state.clock.now(), after, BATCH_SIZE).await?;
        drop(db);
        let Some(last) = due.last() else {
            return Ok(settled);
        };
        after = Some(*last);
        let mut settling = stream::iter(due)
            .map(|(_, order)| async move { (order, settle(state, order).await) })
            .buffer_unordered(AT_ONCE);
        while let Some((order, result)) = settling.next().await {
            match result {
                Ok(is_changed) => settled += usize::from(is_changed),
                Err(error) => {
                    tracing::warn!(%order, %error, "an unanswered order was left; trying again");
                }
            }
        }
    }
}

async fn settle(state: &State, id: OrderId) -> Result<bool, Error> {
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let mut is_changed = false;
    let cause = Cause::service(NAME);
    tiffin_bus::change(&mut tx, &state.recorder, &cause, id, |order: &mut Order| {
        let events = order.come_due(state.clock.now());
        is_changed = !events.is_empty();
        Ok(events)
    })
    .await?;
    fault::point(NAME, "before_deadline_commit").await;
    tx.commit().await?;
    fault::point(NAME, "after_deadline_commit").await;
    Ok(is_changed)
}
