//! Follows an operation to its end.

use std::time::Duration;

use anyhow::Result;
use console::style;
use indicatif::{ProgressBar, ProgressStyle};
use tiffin_bus::history::OperationState;
use uuid::Uuid;

use super::{
    output::{Output, note, state, thousands},
    responses::Replay,
};
use crate::client::{
    Client,
    failure::{Exit, Failure},
};

/// The interval between requests for the progress.
const POLL_INTERVAL: Duration = Duration::from_millis(300);
/// The number of failed answers in a row that are accepted, such as during a restart.
const MAX_FAILURES: u32 = 20;

/// A bar on standard error; nothing where that is no terminal.
pub fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏ "));
    }
    bar
}

/// The template of a bar that counts events.
pub const EVENTS_TEMPLATE: &str = "{prefix} {wide_bar} {human_pos}/{human_len} {per_sec} {msg}";

/// Shows the progress of an operation until it ends. Ctrl-C ends the display, not the operation.
pub async fn until_end(client: &Client, id: Uuid) -> Result<Replay> {
    let bar = bar(0, EVENTS_TEMPLATE);
    let mut failed = 0;
    let key = id.to_string();
    let mut stop = std::pin::pin!(tokio::signal::ctrl_c());
    loop {
        match client.get::<Replay>(&["replays", &key], &[]).await {
            Ok(replay) => {
                failed = 0;
                show(&bar, &replay);
                if !replay.is_under_way() {
                    bar.finish_and_clear();
                    return Ok(replay);
                }
            }
            Err(error) if is_temporary(&error) && failed < MAX_FAILURES => failed += 1,
            Err(error) => {
                bar.abandon();
                return Err(error);
            }
        }
        tokio::select! {
            _ = &mut stop => {
                bar.abandon();
                let message = format!("The operation goes on. See: tiffin events replays show {id}");
                return Err(Failure::new(Exit::Interrupted, message).into());
            }
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}

fn is_temporary(error: &anyhow::Error) -> bool {
    let failure = error.downcast_ref::<Failure>();
    failure.is_some_and(|failure| failure.exit == Exit::Unreachable)
}

fn show(bar: &ProgressBar, replay: &Replay) {
    bar.set_prefix(format!("{} {}", replay.verb, replay.target_name()));
    bar.set_length(replay.total.unsigned_abs());
    bar.set_position(replay.published.unsigned_abs());
    let waits = replay.state == OperationState::Paused;
    bar.set_message(if waits { "paused" } else { "" });
}

/// Prints the result. An error if the operation failed or was cancelled.
pub fn print_result(out: &mut Output, replay: &Replay) -> Result<()> {
    if out.json {
        out.object(replay)?;
    } else {
        out.line(summary(replay))?;
    }
    for failure in failures(replay) {
        note(format!("  {failure}"));
    }
    check_outcome(replay)
}

/// `replay delivery_ORDERS: done, 1,100 events, 0 took effect, 1,100 had before, 0 failed`.
pub fn summary(replay: &Replay) -> String {
    let counts = match replay.verb.as_str() {
        "live" => format!(
            "{} of {} shown",
            thousands(replay.handled),
            thousands(replay.total)
        ),
        "archive" => format!("{} events moved", thousands(replay.handled)),
        "rebuild" | "verify" => format!("{} events read", thousands(replay.published)),
        "republish" => format!(
            "{} events in the outbox, {} were there, {} published again",
            thousands(replay.total),
            thousands(replay.skipped),
            thousands(replay.handled),
        ),
        _ => format!(
            "{} events, {} took effect, {} had before, {} failed",
            thousands(replay.published),
            thousands(replay.handled),
            thousands(replay.skipped),
            thousands(replay.failed),
        ),
    };
    let (verb, target) = (&replay.verb, style(replay.target_name()).bold());
    format!("{verb} {target}: {}, {counts}", state(replay.state()))
}

/// The reasons of single events' failures.
fn failures(replay: &Replay) -> impl Iterator<Item = &str> {
    let report = replay.report.as_ref();
    let failures = report.and_then(|report| report["failures"].as_array());
    failures
        .into_iter()
        .flatten()
        .filter_map(|failure| failure.as_str())
}

/// An error if the operation failed or was cancelled.
pub fn check_outcome(replay: &Replay) -> Result<()> {
    let report = replay.report.as_ref();
    let reason = report.and_then(|report| report["error"].as_str());
    let (verb, id) = (&replay.verb, replay.id);
    let message = match replay.state {
        OperationState::Failed => format!(
            "The {verb} {id} failed: {}",
            reason.unwrap_or("no reason is given")
        ),
        OperationState::Cancelled => format!("The {verb} {id} was cancelled."),
        _ if replay.failed > 0 => format!(
            "{} events of the {verb} {id} failed.",
            thousands(replay.failed)
        ),
        _ => return Ok(()),
    };
    Err(Failure::failed(message).into())
}
