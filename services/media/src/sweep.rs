//! Removes pictures without references.

use std::time::Duration as StdDuration;

use tiffin_bus::{Broker, Consumer, history::Description};
use tiffin_chassis::repeat::repeat;
use tiffin_events::{rights, subject};
use time::Duration;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{Error, NAME, State, consumers, store::pictures};

/// The time that a picture may be without references: the form that it belongs to may be filled in now.
const GRACE: Duration = Duration::days(1);
/// The interval of sweeps.
const EVERY: StdDuration = StdDuration::from_hours(1);
/// The time-out of a service's answer whether events wait.
const PATIENCE: StdDuration = StdDuration::from_secs(3);

/// Sweeps every hour until `shutdown`.
pub async fn run(state: &State, broker: &Broker, shutdown: &CancellationToken) {
    repeat(EVERY, shutdown, || async {
        match what_waits(state, broker).await {
            None => match sweep(state).await {
                Ok(0) => {}
                Ok(removed) => tracing::info!(removed, "unused pictures removed"),
                Err(error) => tracing::warn!(%error, "unused pictures were not removed"),
            },
            Some(reason) => tracing::warn!(
                reason,
                "unused pictures are not removed: events are still on their way"
            ),
        }
    })
    .await;
}

/// Removes the pictures that have had no references for a day. Returns their number.
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

/// Removes one picture: from the store first, so that no file is left there without a row.
pub(crate) async fn discard(state: &State, id: Uuid) -> Result<(), Error> {
    state.storage.remove(id).await?;
    pictures::delete(&state.pool, id).await?;
    Ok(())
}

/// The reason why an event without effect may yet name a picture: it is in the outbox of a service whose
/// events name pictures, on its way, or held back as a dead letter or behind one. `None` if there is none.
pub async fn what_waits(state: &State, broker: &Broker) -> Option<String> {
    let looked = async {
        // In the order in which events travel: what has left one place when it was looked at is seen in the
        // next.
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
        let aside = pictures::events_aside(&state.pool).await;
        let aside = aside.map_err(|error| error.to_string())?;
        Ok((aside > 0).then(|| format!("{aside} events are dead letters or wait behind one")))
    };
    looked.await.unwrap_or_else(Some)
}

/// The number of events that a service has yet to publish.
async fn unpublished(broker: &Broker, service: &str) -> Result<i64, String> {
    let away = |reason: String| format!("{service} does not say whether events wait: {reason}");
    let asked = broker
        .client
        .request(subject::status(service), Vec::new().into());
    let answer = tokio::time::timeout(PATIENCE, asked).await;
    let answer = answer.map_err(|_| away("no answer in time".to_owned()))?;
    let answer = answer.map_err(|error| away(error.to_string()))?;
    let standing: Description =
        serde_json::from_slice(&answer.payload).map_err(|error| away(error.to_string()))?;
    Ok(standing.outbox_waiting)
}

/// The number of events that a consumer has not acknowledged.
async fn undelivered(broker: &Broker, consumer: &Consumer) -> Result<u64, String> {
    let stream = broker.jetstream.get_stream(consumer.stream.name()).await;
    let stream = stream.map_err(|error| error.to_string())?;
    let info = stream.consumer_info(&consumer.name).await;
    let info = info.map_err(|error| error.to_string())?;
    Ok(info.num_pending + u64::try_from(info.num_ack_pending).unwrap_or_default())
}
