//! A replay to a browser: the events of a window on the live topic `replay:<id>`, at a multiple of the
//! pace at which they happened. Nobody else hears them.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tiffin_bus::{
    control::RunState,
    read::{self, Logged},
};
use tiffin_events::{Stream, subject};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{Error, State, mask, operation::Operation, store::operations, watch};

/// What is replayed to a browser.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LiveSpec {
    pub from: u64,
    pub to: u64,
    pub filter: Option<String>,
    /// Times real time.
    pub speed: f64,
}

/// The longest silence, whatever happened then: nobody watches a night pass.
const SILENCE: Duration = Duration::from_secs(5);
/// How often progress is noted.
const NOTE: Duration = Duration::from_millis(500);

/// Starts one in this process.
pub fn start(state: &State, operation: Operation, stream: Stream, spec: LiveSpec) {
    let stop = state.stop.child_token();
    if let Ok(mut live) = state.live.lock() {
        live.insert(operation.id, stop.clone());
    }
    let own = state.clone();
    state.tasks.spawn(async move {
        let id = operation.id;
        let ended = show(&own, &operation, stream, &spec, &stop).await;
        if let Ok(mut live) = own.live.lock() {
            live.remove(&id);
        }
        let noted = watch::note(&own, operation, |it| {
            if !it.is_under_way() {
                return;
            }
            match ended {
                Ok(shown) => {
                    it.handled = shown;
                    it.state = if shown < it.total {
                        RunState::Cancelled
                    } else {
                        RunState::Done
                    };
                }
                Err(error) => {
                    it.state = RunState::Failed;
                    it.report = Some(json!({ "error": error.to_string() }));
                }
            }
        });
        match noted.await {
            Ok(done) => frame(&own, id, &progress(&done)).await,
            Err(error) => tracing::warn!(%error, replay = %id, "its end was not noted"),
        }
    });
}

/// Stops one; what runs in another process stops there with the next look.
pub fn stop(state: &State, id: Uuid) {
    if let Ok(live) = state.live.lock()
        && let Some(stop) = live.get(&id)
    {
        stop.cancel();
    }
}

/// Ends what a process left that is gone: its browser has gone on without it.
pub async fn interrupted(state: &State) -> Result<(), Error> {
    let mut connection = state.pool.acquire().await?;
    let left = operations::under_way(&mut connection).await?;
    drop(connection);
    for operation in left.into_iter().filter(|left| left.verb == "live") {
        watch::note(state, operation, |it| it.state = RunState::Failed).await?;
    }
    Ok(())
}

/// Shows the window; the answer is how many events were shown.
async fn show(
    state: &State,
    operation: &Operation,
    stream: Stream,
    spec: &LiveSpec,
    stop: &CancellationToken,
) -> Result<i64, Error> {
    let mut window = read::open(
        &state.broker,
        stream,
        spec.filter.as_deref(),
        spec.from,
        spec.to,
    )
    .await?;
    let (mut shown, mut last): (i64, Option<OffsetDateTime>) = (0, None);
    let mut noted = tokio::time::Instant::now();
    loop {
        let batch = window.next().await?;
        if batch.is_empty() {
            return Ok(shown);
        }
        for logged in batch {
            let now = time_of(&logged);
            let pause = last
                .zip(now)
                .map(|(last, now)| pace(now - last, spec.speed));
            last = now.or(last);
            tokio::select! {
                () = stop.cancelled() => return Ok(shown),
                () = tokio::time::sleep(pause.unwrap_or_default()) => {}
            }
            frame(state, operation.id, &event(operation.id, logged)).await;
            shown += 1;
            if noted.elapsed() > NOTE {
                noted = tokio::time::Instant::now();
                let so_far = watch::note(state, operation.clone(), |it| it.handled = shown).await?;
                frame(state, operation.id, &progress(&so_far)).await;
                if !so_far.is_under_way() {
                    return Ok(shown);
                }
            }
        }
    }
}

fn time_of(logged: &Logged) -> Option<OffsetDateTime> {
    use time::format_description::well_known::Rfc3339;
    let text = logged.envelope.get("time")?.as_str()?;
    OffsetDateTime::parse(text, &Rfc3339).ok()
}

/// How long to wait between two events.
fn pace(apart: time::Duration, speed: f64) -> Duration {
    Duration::try_from_secs_f64(apart.as_seconds_f64() / speed)
        .unwrap_or_default()
        .min(SILENCE)
}

fn event(id: Uuid, logged: Logged) -> Value {
    let mut envelope = logged.envelope;
    mask::event(&mut envelope);
    json!({
        "type": "event", "topic": format!("replay:{id}"), "event": envelope,
        "stream": logged.stream, "seq": logged.seq, "subject": logged.subject,
    })
}

/// How far a replay is, as a browser is told.
fn progress(operation: &Operation) -> Value {
    json!({
        "type": "progress", "topic": format!("replay:{}", operation.id),
        "state": operation.state, "total": operation.total, "handled": operation.handled,
        "skipped": operation.skipped, "failed": operation.failed,
    })
}

async fn frame(state: &State, id: Uuid, frame: &Value) {
    let body = frame.to_string().into();
    if let Err(error) = state.broker.client.publish(subject::run(id), body).await {
        tracing::debug!(%error, "nobody was told of a replay");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_keep_their_distance_at_any_speed_and_a_night_passes_quickly() {
        let apart = time::Duration::seconds(10);
        assert_eq!(pace(apart, 10.0), Duration::from_secs(1));
        assert_eq!(pace(apart, 100.0), Duration::from_millis(100));
        assert_eq!(pace(time::Duration::hours(8), 1.0), SILENCE);
        assert_eq!(pace(time::Duration::seconds(-3), 1.0), Duration::ZERO);
    }
}
