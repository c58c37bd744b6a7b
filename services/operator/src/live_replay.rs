//! A replay to a browser: the events of a window on the live topic `replay:<id>`, at a multiple of their
//! original speed. Other browsers do not get them. A replay shows positions, so it needs a reason, which is
//! recorded.

use std::time::Duration;

use async_nats::{Request, client::RequestErrorKind};
use serde_json::{Value, json};
use tiffin_bus::{
    history::{OperationState, Selection},
    read::{self, Window},
    seal::Keys,
};
use tiffin_events::{Stream, subject};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    Error, State, event_view::EventView, local_operations, mask::Masking, operation::Operation,
};

/// The events that are replayed to a browser.
pub enum Source {
    Window(Stream, Selection),
    /// Events that were read already, oldest first.
    Events(Vec<EventView>),
}

impl Source {
    /// The stream of the events, if all are in one.
    pub fn stream(&self) -> Option<Stream> {
        match self {
            Self::Window(stream, _) => Some(*stream),
            Self::Events(_) => None,
        }
    }
}

/// The longest pause between two events, so that a replay skips a quiet night.
const MAX_PAUSE: Duration = Duration::from_secs(5);
/// The interval between saves of the progress.
const SAVE_INTERVAL: Duration = Duration::from_millis(500);
/// The longest wait for a browser that watches the replay.
const WATCHER_TIMEOUT: Duration = Duration::from_secs(5);
/// The interval between questions whether a browser watches.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Starts a replay in this process, at `speed` times real time.
pub fn start(state: &State, operation: Operation, source: Source, speed: f64) {
    let stop = local_operations::begin(state, operation.id);
    let own = state.clone();
    state.tasks.spawn(async move {
        let ended = send_events(&own, &operation, source, speed, &stop).await;
        local_operations::end(&own, operation, |it| match ended {
            Ok(shown) => {
                it.handled = shown;
                it.state = if shown < it.total {
                    OperationState::Cancelled
                } else {
                    OperationState::Done
                };
            }
            Err(error) => {
                it.state = OperationState::Failed;
                it.report = Some(json!({ "error": error.to_string() }));
            }
        })
        .await;
    });
}

/// The events that are still to be sent, a batch at a time.
enum Remaining {
    Window(Box<Window>),
    Events(Vec<EventView>),
}

impl Remaining {
    async fn of(state: &State, source: Source) -> Result<Self, Error> {
        let (stream, window) = match source {
            Source::Window(stream, window) => (stream, window),
            Source::Events(events) => return Ok(Self::Events(events)),
        };
        let filter = window.filter.as_deref();
        let open = read::open(&state.broker, stream, filter, window.from, window.to);
        Ok(Self::Window(Box::new(open.await?)))
    }

    /// The next events; empty at the end.
    async fn next(&mut self, keys: &Keys) -> Result<Vec<EventView>, Error> {
        match self {
            Self::Window(window) => {
                let batch = window.next().await?;
                let mut views = Vec::with_capacity(batch.len());
                for logged in batch {
                    let masking = Masking::ExceptCoordinates;
                    views.push(EventView::of_logged(keys, logged, masking).await?);
                }
                Ok(views)
            }
            Self::Events(events) => Ok(std::mem::take(events)),
        }
    }
}

/// Waits until a browser watches: it learns the replay's name from the answer, and would miss earlier
/// events. If none watches in time, the replay begins all the same.
async fn wait_for_watcher(state: &State, operation: &Operation, stop: &CancellationToken) {
    let wait = async {
        loop {
            let body = local_operations::progress(operation).to_string().into();
            let request = Request::new().payload(body).timeout(Some(POLL_INTERVAL));
            let response = state
                .broker
                .client
                .send_request(subject::operation(operation.id), request);
            match response.await {
                Err(error) if error.kind() == RequestErrorKind::NoResponders => {
                    tokio::time::sleep(POLL_INTERVAL).await;
                }
                // A time-out means that a browser watches: watchers do not answer.
                _ => return,
            }
        }
    };
    tokio::select! {
        () = stop.cancelled() => {}
        _ = tokio::time::timeout(WATCHER_TIMEOUT, wait) => {}
    }
}

/// Sends the events to browsers and returns their number.
async fn send_events(
    state: &State,
    operation: &Operation,
    source: Source,
    speed: f64,
    stop: &CancellationToken,
) -> Result<i64, Error> {
    let mut remaining = Remaining::of(state, source).await?;
    wait_for_watcher(state, operation, stop).await;
    let (mut shown, mut last): (i64, Option<OffsetDateTime>) = (0, None);
    let mut saved_at = tokio::time::Instant::now();
    loop {
        let batch = remaining.next(&state.broker.keys).await?;
        if batch.is_empty() {
            return Ok(shown);
        }
        for view in batch {
            let now = time_of(&view);
            let pause = last
                .zip(now)
                .map(|(last, now)| pause_between(now - last, speed));
            last = now.or(last);
            tokio::select! {
                () = stop.cancelled() => return Ok(shown),
                () = tokio::time::sleep(pause.unwrap_or_default()) => {}
            }
            local_operations::send(state, operation.id, &frame(operation.id, &view)).await;
            shown += 1;
            if saved_at.elapsed() > SAVE_INTERVAL {
                saved_at = tokio::time::Instant::now();
                let so_far = local_operations::save_progress(state, operation.clone(), |it| {
                    it.handled = shown;
                })
                .await?;
                if !so_far.is_under_way() {
                    return Ok(shown);
                }
            }
        }
    }
}

fn time_of(view: &EventView) -> Option<OffsetDateTime> {
    use time::format_description::well_known::Rfc3339;
    let text = view.event.get("time")?.as_str()?;
    OffsetDateTime::parse(text, &Rfc3339).ok()
}

/// The pause between two events.
fn pause_between(apart: time::Duration, speed: f64) -> Duration {
    Duration::try_from_secs_f64(apart.as_seconds_f64() / speed)
        .unwrap_or_default()
        .min(MAX_PAUSE)
}

fn frame(id: Uuid, view: &EventView) -> Value {
    json!({
        "type": "event", "topic": format!("replay:{id}"), "event": view.event,
        "stream": view.stream, "seq": view.seq, "subject": view.subject,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_keep_their_distance_at_any_speed_and_a_night_passes_quickly() {
        let apart = time::Duration::seconds(10);
        assert_eq!(pause_between(apart, 10.0), Duration::from_secs(1));
        assert_eq!(pause_between(apart, 100.0), Duration::from_millis(100));
        assert_eq!(pause_between(time::Duration::hours(8), 1.0), MAX_PAUSE);
        assert_eq!(
            pause_between(time::Duration::seconds(-3), 1.0),
            Duration::ZERO
        );
    }
}
