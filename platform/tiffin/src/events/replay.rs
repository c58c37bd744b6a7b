//! `replay`: a part of a stream, to one consumer or to browsers.

use super::{
    Reason, confirm, follow,
    names::StreamName,
    output::{Output, note, thousands},
    responses::{Begun, DryRun, RowChange, StreamsOverview},
    show::holds_mask,
    times::{self, Bound},
    tree::one_line,
};
use crate::client::{Client, failure::Failure};
use anyhow::Result;
use clap::{ArgGroup, Args, ValueHint};
use console::style;
use serde_json::{Value, json};

/// The attempts, with `--yes`, if the number of events has changed since it was shown.
const MAX_TRIES: u32 = 5;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate flag")]
#[command(group(ArgGroup::new("target").required(true).args(["consumer", "live"])))]
pub struct Replay {
    /// The consumer that gets the events: `delivery_ORDERS`. It skips what it has handled.
    #[arg(long, value_hint = ValueHint::Other)]
    consumer: Option<String>,
    /// Shows them to the browsers that watch, at --speed times real time.
    #[arg(long)]
    live: bool,
    /// With --live: the order to show, by id or code, instead of a stream.
    #[arg(long, requires = "live", conflicts_with_all = ["stream", "from", "to", "filter"])]
    order: Option<String>,
    /// The stream; the consumer's own by default.
    #[arg(long, value_parser = StreamName)]
    stream: Option<String>,
    /// The first event: a stream sequence, 2026-11-21T10:00:00Z, or how long ago: 15m, 2h, 7d.
    #[arg(long, value_name = "SEQUENCE|TIME", value_parser = times::bound)]
    from: Option<Bound>,
    /// The last event: a stream sequence, or a time before which it was stored.
    #[arg(long, value_name = "SEQUENCE|TIME", value_parser = times::bound)]
    to: Option<Bound>,
    /// Only subjects that match, `*` for any word: `tiffin.order.*.placed`.
    #[arg(long, value_name = "SUBJECT")]
    filter: Option<String>,
    /// Events a second at most.
    #[arg(long, conflicts_with = "live", value_parser = clap::value_parser!(u32).range(1..))]
    rate: Option<u32>,
    /// The multiple of real time, 0.1 to 1000.
    #[arg(long, requires = "live")]
    speed: Option<f64>,
    /// Counts the events and shows the rows that would change.
    #[arg(long)]
    dry_run: bool,
    /// With --dry-run: shows personal fields in those rows. It is recorded, with the reason.
    #[arg(long, requires = "dry_run", requires = "consumer")]
    reveal: bool,
    /// Skips the confirmation for more than 1,000 events.
    #[arg(long)]
    yes: bool,
    /// Returns without waiting for the end.
    #[arg(long)]
    detach: bool,
    #[command(flatten)]
    reason: Reason,
}

impl Replay {
    pub async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        let stream = self.stream()?;
        if let Some(consumer) = &self.consumer {
            // Before a reason is asked for.
            StreamsOverview::get(client)
                .await?
                .check_consumer(consumer)?;
        }
        let body = self.body(stream.as_deref())?;
        if self.dry_run {
            let changes: DryRun = client.post(&["replays"], &body).await?;
            return show(out, &changes);
        }
        let begun = begin(client, body, self.yes).await?;
        if self.live {
            note(format!("Live topic: replay:{}", begun.replay_id));
        }
        if self.detach {
            let (id, matched) = (begun.replay_id, thousands(begun.matched));
            let message = format!("{matched} events. See: tiffin events replays show {id}");
            return out.done(&begun, &message);
        }
        let ended = follow::until_end(client, begun.replay_id).await?;
        follow::print_result(out, &ended)
    }

    /// The named stream, or the consumer's own; none for an order.
    fn stream(&self) -> Result<Option<String>> {
        let consumer = self.consumer.as_deref();
        let own = consumer.and_then(|name| Some(name.split_once('_')?.1.to_owned()));
        let stream = self.stream.clone().or(own);
        if stream.is_none() && self.order.is_none() {
            let message = match consumer {
                Some(_) => "A consumer is named after its service and stream: delivery_ORDERS.",
                None => "Name the events to replay: --stream or --order.",
            };
            return Err(Failure::usage(message).into());
        }
        Ok(stream)
    }

    fn body(&self, stream: Option<&str>) -> Result<Value> {
        let target = match &self.consumer {
            Some(name) => json!({ "consumer": name }),
            None => json!({ "live": true }),
        };
        // Only what changes rows or shows personal fields is recorded with a reason.
        let is_recorded = !self.dry_run || self.reveal;
        let reason = is_recorded.then(|| self.reason.get()).transpose()?;
        Ok(json!({
            "stream": stream, "order": self.order, "reason": reason.unwrap_or_default(), "target": target,
            "from": self.from, "to": self.to, "filter": self.filter,
            "rate": self.rate, "speed": self.speed, "dryRun": self.dry_run,
            "reveal": self.reveal,
        }))
    }
}

/// Begins the replay; the user has to type the number of events if there are many.
async fn begin(client: &Client, mut body: Value, yes: bool) -> Result<Begun> {
    let mut tries = 0;
    loop {
        let refused = match client.post(&["replays"], &body).await {
            Ok(begun) => return Ok(begun),
            Err(error) => error,
        };
        let matched = refused
            .downcast_ref::<Failure>()
            .and_then(|failure| failure.matched);
        let Some(matched) = matched.filter(|_| tries < MAX_TRIES) else {
            return Err(refused);
        };
        confirm::confirm_count(yes, "events match", matched)?;
        body["confirm"] = matched.into();
        tries += 1;
    }
}

/// Prints a dry run: counts, and the rows before and after.
fn show(out: &mut Output, changes: &DryRun) -> Result<()> {
    if out.json {
        return out.object(changes);
    }
    out.line(format!(
        "{} events match: {} were handled before, {} would fail, {} rows would change.",
        thousands(changes.matched),
        thousands(changes.skipped),
        thousands(changes.failed),
        thousands(changes.rows),
    ))?;
    for change in &changes.changes {
        print_row(out, change)?;
    }
    for failure in &changes.failures {
        out.line(format!(
            "{} {}",
            style("would fail").red(),
            one_line(failure)
        ))?;
    }
    let rows = changes.changes.iter();
    let mut sides = rows.flat_map(|row| [&row.before, &row.after]).flatten();
    if sides.any(holds_mask) {
        note("Personal fields are masked. See them with --reveal, which is recorded.");
    }
    Ok(())
}

/// Prints a row as `diff` does: removed and added fields; for a row that remains, only the changed ones.
fn print_row(out: &mut Output, change: &RowChange) -> Result<()> {
    let (before, after) = (change.before.as_ref(), change.after.as_ref());
    let label = match (before, after) {
        (None, _) => "new row",
        (_, None) => "row goes",
        _ => "row",
    };
    out.line(format!(
        "\n{} {}",
        style(&change.table).bold(),
        style(label).dim()
    ))?;
    if let (Some(before), Some(_)) = (before, after)
        && let Some(id) = before.get("id")
    {
        out.line(format!("  id: {}", one_line(&id.to_string())))?;
    }
    for name in &change.changed {
        let was = before.and_then(|row| row.get(name));
        let will = after.and_then(|row| row.get(name));
        let line = |value: &Value| format!("{name}: {}", one_line(&value.to_string()));
        if let Some(was) = was {
            out.line(style(format!("- {}", line(was))).red().to_string())?;
        }
        if let Some(will) = will {
            out.line(style(format!("+ {}", line(will))).green().to_string())?;
        }
    }
    Ok(())
}
