//! A replay to a browser: the events of a window on the live topic `replay:<id>`, at a multiple of their
//! original pace. No one else gets them. It shows positions, so it needs a reason, which is recorded.

use std::time::Duration;

use async_nats::{Request, client::RequestErrorKind};
use serde_json::{Value, json};
use tiffin_bus::{
    history::{OperationState, Selection},
    read::{self, Window},
};
use tiffin_events::{Stream, subject};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{Error, State, event_view::EventView, mask::Veil, operation::Operation, running};

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

/// The longest pause between two events, so that a replay does not sit through a night.
const SILENCE: Duration = Duration::from_secs(5);
/// The interval between saves of the progress.
const NOTE: Duration = Duration::from_millis(500);
/// The time that a browser has to watch its replay, and the interval of looking for it.
const PATIENCE: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_millis(50);

/// Starts a replay in this process, at `speed` times real time.
pub fn start(state: &State, operation: Operation, source: Source, speed: f64) {
    let stop = running::begin(state, operation.id);
    let own = state.clone();
    state.tasks.spawn(async move {
        let ended = show(&own, &operation, source, speed, &stop).await;
        running::end(&own, operation, |it| match ended {
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

/// The remaining events, a part at a time.
enum Rest {
    Stored(Box<Window>),
    Read(Vec<EventView>),
}

impl Rest {
    async fn of(state: &State, source: Source) -> Result<Self, Error> {
        let (stream, window) = match source {
            Source::Window(stream, window) => (stream, window),
            Source::Events(events) => return Ok(Self::Read(events)),
        };
        let filter = window.filter.as_deref();
        let open = read::open(&state.broker, stream, filter, window.from, window.to);
        Ok(Self::Stored(Box::new(open.await?)))
    }

    /// The next events; empty at the end.
    async fn next(&mut self) -> Result<Vec<EventView>, Error> {
        match self {
            Self::Stored(window) => {
                let batch = window.next().await?;
                let views = batch.into_iter();
                let view = |logged| EventView::of_logged(logged, Veil::ButPlaces);
                Ok(views.map(view).collect())
            }
            Self::Read(events) => Ok(std::mem::take(events)),
        }
    }
}

/// Waits until a browser watches: it learns the replay's name from the answer, and would miss earlier
/// events. If none watches in time, the replay begins all the same.
async fn watched(state: &State, operation: &Operation, stop: &CancellationToken) {
    let wait = async {
        loop {
            let body = running::progress(operation).to_string().into();
            let look = Request::new().payload(body).timeout(Some(LOOK));
            let looked = state
                .broker
                .client
                .send_request(subject::operation(operation.id), look);
            match looked.await {
                Err(error) if error.kind() == RequestErrorKind::NoResponders => {
                    tokio::time::sleep(LOOK).await;
                }
                // A time-out means that a browser watches: watchers do not answer.
                _ => return,
            }
        }
    };
    tokio::select! {
        () = stop.cancelled() => {}
        _ = tokio::time::timeout(PATIENCE, wait) => {}
    }
}

/// Shows the events and returns the number that was shown.
async fn show(
    state: &State,
    operation: &Operation,
    source: Source,
    speed: f64,
    stop: &CancellationToken,
) -> Result<i64, Error> {
    let mut rest = Rest::of(state, source).await?;
    watched(state, operation, stop).await;
    let (mut shown, mut last): (i64, Option<OffsetDateTime>) = (0, None);
    let mut noted = tokio::time::Instant::now();
    loop {
        let batch = rest.next().await?;
        if batch.is_empty() {
            return Ok(shown);
        }
        for view in batch {
            let now = time_of(&view);
            let pause = last.zip(now).map(|(last, now)| pace(now - last, speed));
            last = now.or(last);
            tokio::select! {
                () = stop.cancelled() => return Ok(shown),
                () = tokio::time::sleep(pause.unwrap_or_default()) => {}
            }
            running::send(state, operation.id, &event(operation.id, &view)).await;
            shown += 1;
            if noted.elapsed() > NOTE {
                noted = tokio::time::Instant::now();
                let so_far =
                    running::note(state, operation.clone(), |it| it.handled = shown).await?;
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
fn pace(apart: time::Duration, speed: f64) -> Duration {
    Duration::try_from_secs_f64(apart.as_seconds_f64() / speed)
        .unwrap_or_default()
        .min(SILENCE)
}

fn event(id: Uuid, view: &EventView) -> Value {
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
        assert_eq!(pace(apart, 10.0), Duration::from_secs(1));
        assert_eq!(pace(apart, 100.0), Duration::from_millis(100));
        assert_eq!(pace(time::Duration::hours(8), 1.0), SILENCE);
        assert_eq!(pace(time::Duration::seconds(-3), 1.0), Duration::ZERO);
    }
}
