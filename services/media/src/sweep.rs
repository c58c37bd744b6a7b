//! Removing what nobody refers to.

use std::time::Duration as StdDuration;

use tiffin_bus::Broker;
use time::Duration;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{Error, State, consumers, store::pictures};

/// How long a picture may lie about without anybody referring to it: somebody may be filling in the
/// form that it belongs to.
const GRACE: Duration = Duration::days(1);
/// How often is looked.
const EVERY: StdDuration = StdDuration::from_hours(1);

/// Sweeps every hour until `shutdown`.
pub async fn tasks(state: State, broker: Broker, shutdown: CancellationToken) {
    while !shutdown.is_cancelled() {
        match is_caught_up(&state, &broker).await {
            Ok(true) => match sweep(&state).await {
                Ok(0) => {}
                Ok(removed) => tracing::info!(removed, "unused pictures removed"),
                Err(error) => tracing::warn!(%error, "unused pictures were not removed"),
            },
            Ok(false) => tracing::warn!("events wait: no picture is taken for unused"),
            Err(error) => tracing::debug!(%error, "no picture is taken for unused"),
        }
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}

/// Removes the pictures that nobody has referred to for a day. Returns how many there were.
pub async fn sweep(state: &State) -> Result<usize, Error> {
    let now = state.clock.now();
    let mut removed = 0;
    loop {
        let unused = pictures::unused(&state.pool, now - GRACE).await?;
        if unused.is_empty() {
            return Ok(removed);
        }
        for id in unused {
            discard(state, id).await?;
            removed += 1;
        }
    }
}

/// Removes one picture: from the shelf first, so that nothing is left there that nobody knows of.
pub(crate) async fn discard(state: &State, id: Uuid) -> Result<(), Error> {
    state.shelf.remove(id).await?;
    pictures::delete(&state.pool, id).await?;
    Ok(())
}

/// Whether every event has been heard: a reference may be in one that waits.
async fn is_caught_up(state: &State, broker: &Broker) -> Result<bool, String> {
    for consumer in consumers(state) {
        let stream = broker.jetstream.get_stream(consumer.stream.name()).await;
        let stream = stream.map_err(|error| error.to_string())?;
        let info = stream.consumer_info(&consumer.name).await;
        let info = info.map_err(|error| error.to_string())?;
        if info.num_pending > 0 || info.num_ack_pending > 0 {
            return Ok(false);
        }
    }
    Ok(true)
}
