//! The heartbeat on the stream of revocations: other services trust old tokens only while they receive it.

use std::time::Duration;

use tiffin_bus::Broker;
use tiffin_events::revocation;
use tokio_util::sync::CancellationToken;

use crate::{State, store::outbox};

/// The interval of the heartbeat.
const INTERVAL: Duration = Duration::from_secs(5);
/// The longest time that a revocation may wait for its publication while the heartbeat goes on.
const MAX_WAIT_SECONDS: f64 = 10.0;

/// Publishes a heartbeat every few seconds while no revocation waits, until `shutdown`.
pub(crate) async fn run(state: &State, broker: &Broker, shutdown: &CancellationToken) {
    let mut tick = tokio::time::interval(INTERVAL);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return,
            _ = tick.tick() => {}
        }
        match outbox::has_late_revocation(&state.pool, MAX_WAIT_SECONDS).await {
            Ok(false) => {}
            Ok(true) => continue,
            Err(error) => {
                tracing::debug!(%error, "the outbox can't be read for revocations; no heartbeat this time");
                continue;
            }
        }
        // A client that is not connected would buffer it and send it late.
        if broker.client.connection_state() != async_nats::connection::State::Connected {
            continue;
        }
        if let Err(error) = broker.client.publish(revocation::ALIVE, "".into()).await {
            tracing::debug!(%error, "the heartbeat was not sent; trying again");
        }
    }
}
