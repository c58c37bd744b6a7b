//! Removes pictures without references.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration as StdDuration,
};

use tiffin_bus::{Broker, Consumer, history::Description};
use tiffin_chassis::repeat::repeat;
use tiffin_events::{rights, subject};
use time::Duration;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{Error, NAME, State, consumers, store::pictures};

/// The time that a picture may be without references: the form that it belongs to may be filled in now.
const KEPT_UNUSED: Duration = Duration::days(1);
/// The interval of sweeps.
const SWEEP_INTERVAL: StdDuration = StdDuration::from_hours(1);
/// The longest wait for a service's answer.
const REPLY_TIMEOUT: StdDuration = StdDuration::from_secs(3);

/// Sweeps every hour until `shutdown`. Events that are on their way at one sweep are usual; at two in a row they are
/// worth a warning.
pub async fn run(state: &State, broker: &Broker, shutdown: &CancellationToken) {
    const WAITING: &str = "unused pictures are not removed: events are still on their way";
    let was_waiting = AtomicBool::new(false);
    repeat(SWEEP_INTERVAL, shutdown, || async {
        let pending = pending_events(state, broker).await;
        let was_waiting = was_waiting.swap(pending.is_some(), Ordering::Relaxed);
        match pending {
            None => match sweep(state).await {
                Ok(0) => {}
                Ok(removed) => tracing::info!(removed, "unused pictures removed"),
                Err(error) => tracing::warn!(%error, "unused pictures were not removed"),
            },
            Some(reason) if was_waiting => tracing::warn!(reason, "{WAITING}"),
            Some(reason) => tracing::info!(reason, "{WAITING}"),
        }
    })
    .await;
}

/// Removes the pictures that have had no references for a day. Returns their number.
pub async fn sweep(state: &State) -> Result<usize, Error> {
    let now = state.clock.now();
    let mut removed = 0;
    loop {
        let unused = pictures::unused(&state.pool, now - KEPT_UNUSED).await?;
        if unused.is_empty() {
            return Ok(removed);
        }
        for id in unused {
            remove(state, id).await?;
            removed += 1;
        }
    }
}

/// Removes one picture: from the store first, so that no file is left there without a row.
pub(crate) async fn remove(state: &State, id: Uuid) -> Result<(), Error> {
    state.storage.remove(id).await?;
    pictures::delete(&state.pool, id).await?;
    Ok(())
}

/// The events without effect that may yet refer to a picture, as a sentence: in the outbox of a service whose
/// events refer to pictures, on their way, dead letters or parked. `None` if there are none.
pub async fn pending_events(state: &State, broker: &Broker) -> Option<String> {
    let waiting = async {
        // In the order in which events travel: an event that has left one place by the time of its check is found at
        // the next.
        for producer in rights::producers(NAME) {
            let waiting = unpublished(broker, producer).await?;
            if waiting > 0 {
                return Ok(Some(format!(
                    "{waiting} events wait in the outbox of {producer}"
                )));
            }
        }
        for consumer in consumers(state) {
            let waiting = undelivered(broker, &consumer).await?;
            if waiting > 0 {
                return Ok(Some(format!("{waiting} events wait for {}", consumer.name)));
            }
        }
        let unhandled = pictures::count_unhandled_events(&state.pool).await;
        let unhandled = unhandled.map_err(|error| error.to_string())?;
        Ok((unhandled > 0)
            .then(|| format!("{unhandled} events are dead letters or wait behind one")))
    };
    waiting.await.unwrap_or_else(Some)
}

/// The number of events that a service has not published yet.
async fn unpublished(broker: &Broker, service: &str) -> Result<i64, String> {
    let failed = |reason: String| format!("{service} does not say whether events wait: {reason}");
    let request = broker
        .client
        .request(subject::status(service), Vec::new().into());
    let answer = tokio::time::timeout(REPLY_TIMEOUT, request).await;
    let answer = answer.map_err(|_| failed("no answer in time".to_owned()))?;
    let answer = answer.map_err(|error| failed(error.to_string()))?;
    let description: Description =
        serde_json::from_slice(&answer.payload).map_err(|error| failed(error.to_string()))?;
    Ok(description.outbox_waiting)
}

/// The number of events that a consumer has not acknowledged.
async fn undelivered(broker: &Broker, consumer: &Consumer) -> Result<u64, String> {
    let stream = broker.jetstream.get_stream(consumer.stream.name()).await;
    let stream = stream.map_err(|error| error.to_string())?;
    let info = stream.consumer_info(&consumer.name).await;
    let info = info.map_err(|error| error.to_string())?;
    Ok(info.num_pending + u64::try_from(info.num_ack_pending).unwrap_or_default())
}
