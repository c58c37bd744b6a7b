//! `streams`: the fill of each stream and the progress of its consumers.

use std::time::Duration;

use anyhow::Result;
use clap::Args;
use console::{Term, style};
use indicatif::BinaryBytes;
use tiffin_bus::fill;

use super::{
    names::StreamName,
    output::{Output, highlight_nonzero, span, thousands},
    responses::{Consumer, Stream, StreamsOverview},
    table::Table,
    times,
};
use crate::client::{
    Client,
    failure::{Exit, Failure},
};

#[derive(Debug, Args)]
pub struct Streams {
    /// Only these streams.
    #[arg(value_parser = StreamName)]
    stream: Vec<String>,
    /// Updates the tables until Ctrl-C.
    #[arg(long, short)]
    watch: bool,
    /// Seconds between updates.
    #[arg(long, default_value_t = 1.0, value_parser = seconds, requires = "watch")]
    every: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text
        .parse()
        .ok()
        .filter(|seconds| (0.1..=3_600.0).contains(seconds));
    seconds.ok_or_else(|| "0.1 to 3600".to_owned())
}

impl Streams {
    pub async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        loop {
            let mut overview = StreamsOverview::get(client).await?;
            self.narrow(&mut overview)?;
            if out.json {
                out.object(&overview)?;
            } else if self.watch && out.width.is_some() {
                redraw(out, &watched(&overview, out.width))?;
            } else {
                out.bytes(text(&overview, out.width).as_bytes())?;
            }
            if !self.watch {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_secs_f64(self.every)).await;
        }
    }

    fn narrow(&self, overview: &mut StreamsOverview) -> Result<()> {
        let is_known = |name: &String| overview.streams.iter().any(|one| one.name == *name);
        if let Some(unknown) = self.stream.iter().find(|name| !is_known(name)) {
            let message = format!("There is no stream {unknown}.");
            return Err(Failure::new(Exit::NotFound, message).into());
        }
        if !self.stream.is_empty() {
            overview
                .streams
                .retain(|one| self.stream.contains(&one.name));
        }
        Ok(())
    }
}

/// Redraws the screen in one write, so that nothing flickers.
fn redraw(out: &mut Output, text: &str) -> Result<()> {
    let rows = usize::from(Term::stdout().size().0.saturating_sub(1));
    let lines: Vec<String> = fitted(text, rows)
        .iter()
        .map(|line| format!("{line}\x1b[K\n"))
        .collect();
    out.bytes(format!("\x1b[H{}\x1b[J", lines.concat()).as_bytes())
}

/// The lines that a screen of so many rows has room for. The last one says how many others there are.
fn fitted(text: &str, rows: usize) -> Vec<String> {
    let count = text.lines().count();
    let mut lines: Vec<String> = text.lines().take(rows).map(str::to_owned).collect();
    if count > rows
        && let Some(last) = lines.last_mut()
    {
        let hidden = count - rows + 1;
        *last = format!("{hidden} more lines: name a stream, or make the window higher.");
    }
    lines
}

fn text(overview: &StreamsOverview, width: Option<usize>) -> String {
    let tables = [
        streams(&overview.streams),
        archived(&overview.streams),
        consumers(&all_consumers(overview)),
        services(overview),
    ];
    let letters = dead_letters(overview);
    format!("{}\n{letters}\n", rendered(&tables, width))
}

/// The same with what is urgent first: a screen may be too low for all of it.
fn watched(overview: &StreamsOverview, width: Option<usize>) -> String {
    let (stopped, others): (Vec<_>, Vec<_>) = all_consumers(overview)
        .into_iter()
        .partition(|one| one.blocked > 0 || one.parked > 0);
    let tables = [
        consumers(&stopped),
        services(overview),
        streams(&overview.streams),
        consumers(&others),
        archived(&overview.streams),
    ];
    let letters = dead_letters(overview);
    format!("{letters}\n\n{}", rendered(&tables, width))
}

fn rendered(tables: &[Table], width: Option<usize>) -> String {
    let tables = tables.iter().filter(|table| !table.is_empty());
    let texts: Vec<String> = tables.map(|table| table.render(width)).collect();
    texts.join("\n")
}

fn dead_letters(overview: &StreamsOverview) -> String {
    match overview.dead_letters {
        0 => "No dead letters.".to_owned(),
        some => style(format!("{some} dead letters. See: tiffin events dead"))
            .red()
            .to_string(),
    }
}

fn all_consumers(overview: &StreamsOverview) -> Vec<&Consumer> {
    let streams = overview.streams.iter();
    streams.flat_map(|stream| &stream.consumers).collect()
}

fn streams(streams: &[Stream]) -> Table {
    let mut table = Table::new(&[
        "STREAM",
        ">MESSAGES",
        ">SIZE",
        ">FULL",
        ">FIRST",
        ">LAST",
        ">LAST EVENT",
    ]);
    for one in streams {
        let last = one
            .last_time
            .map(|time| format!("{} ago", span(times::age(time))));
        table.row([
            one.name.clone(),
            thousands(one.messages),
            BinaryBytes(one.bytes).to_string(),
            full(one),
            one.first_seq.to_string(),
            one.last_seq.to_string(),
            last.unwrap_or_else(|| "never".to_owned()),
        ]);
    }
    table
}

/// The archived part of each stream that has one.
pub fn archived(streams: &[Stream]) -> Table {
    let mut table = Table::new(&[
        "ARCHIVE",
        ">EVENTS",
        ">SEGMENTS",
        ">SIZE",
        ">FIRST",
        ">LAST",
        ">NEWEST EVENT",
    ]);
    let archived = streams.iter();
    for (stream, one) in archived.filter_map(|stream| Some((stream, stream.archived.as_ref()?))) {
        table.row([
            stream.name.clone(),
            thousands(one.events),
            thousands(one.segments),
            BinaryBytes(one.bytes).to_string(),
            one.first_seq.to_string(),
            one.last_seq.to_string(),
            format!("{} ago", span(times::age(one.last_time))),
        ]);
    }
    table
}

/// The fill of a stream in percent, red if it is nearly full.
fn full(stream: &Stream) -> String {
    let max = u64::try_from(stream.max_bytes).unwrap_or_default().max(1);
    let percent = stream.bytes.saturating_mul(100) / max;
    let text = format!("{percent} %");
    if percent >= fill::NEARLY_FULL {
        style(text).red().to_string()
    } else {
        text
    }
}

fn consumers(consumers: &[&Consumer]) -> Table {
    let mut table = Table::new(&[
        "CONSUMER",
        ">PENDING",
        ">IN FLIGHT",
        ">REDELIVERED",
        ">LAG",
        ">BLOCKED",
        ">PARKED",
        "READ MODEL",
    ]);
    for one in consumers {
        table.row([
            one.name.clone(),
            highlight_nonzero(one.pending),
            highlight_nonzero(one.in_flight),
            highlight_nonzero(one.redelivered),
            span(one.lag_seconds),
            highlight_nonzero(one.blocked),
            highlight_nonzero(one.parked),
            one.tables.join(", "),
        ]);
    }
    table
}

fn services(overview: &StreamsOverview) -> Table {
    let mut table = Table::new(&["SERVICE", ">OUTBOX", ">LAG"]);
    for one in &overview.services {
        let name = one.name.clone();
        if one.is_there {
            let waiting = highlight_nonzero(one.outbox_waiting);
            table.row([name, waiting, span(one.outbox_lag_seconds)]);
        } else {
            table.row([name, style("unreachable").red().to_string(), String::new()]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn overview() -> StreamsOverview {
        let consumer = |name: &str, blocked: i64| {
            json!({
                "name": name, "pending": 0, "inFlight": 0, "redelivered": 0, "lagSeconds": 0.0, "takesReplays": true,
                "tables": [], "blocked": blocked, "parked": 0,
            })
        };
        let stream = |name: &str, consumers| {
            json!({
                "name": name, "subjects": [], "messages": 1, "bytes": 1, "maxBytes": 100, "firstSeq": 1, "lastSeq": 1,
                "firstTime": null, "lastTime": null, "archived": null, "consumers": consumers,
            })
        };
        let quiet: Vec<_> = (0..40)
            .map(|at| consumer(&format!("quiet{at}_ORDERS"), 0))
            .collect();
        let mut streams: Vec<_> = (0..11)
            .map(|at| stream(&format!("STREAM{at}"), json!([])))
            .collect();
        streams.push(stream("ORDERS", json!(quiet)));
        streams.push(stream("DRIVERS", json!([consumer("order_DRIVERS", 7)])));
        let services: Vec<_> = (0..10)
            .map(|at| {
                json!({ "name": format!("service{at}"), "isThere": true, "outboxWaiting": 7, "outboxLagSeconds": 1.0 })
            })
            .collect();
        serde_json::from_value(
            json!({ "streams": streams, "services": services, "deadLetters": 13 }),
        )
        .unwrap()
    }

    #[test]
    fn a_low_screen_shows_dead_letters_outboxes_and_who_is_blocked() {
        let lines = fitted(&watched(&overview(), Some(80)), 23);
        assert_eq!(lines.len(), 23);
        let text = lines.join("\n");
        for part in ["13 dead letters", "order_DRIVERS", "service9", "more lines"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("quiet39"), "{text}");
    }

    #[test]
    fn a_consumer_that_waits_behind_a_dead_letter_is_not_all_right() {
        let text = text(&overview(), None);
        assert!(
            text.contains("13 dead letters. See: tiffin events dead"),
            "{text}"
        );
        let blocked = |name: &str| {
            let heads = text.lines().find(|line| line.contains("BLOCKED"));
            let column = heads.unwrap().find("BLOCKED").unwrap();
            let line = text.lines().find(|line| line.contains(name)).unwrap();
            let cell = &line[column..column + "BLOCKED".len()];
            cell.trim().to_owned()
        };
        assert_eq!(blocked("order_DRIVERS"), "7");
        assert_eq!(blocked("quiet0_ORDERS"), "0");
    }

    #[test]
    fn a_high_screen_shows_everything() {
        let text = watched(&overview(), None);
        let lines = fitted(&text, 100);
        assert_eq!(lines.len(), text.lines().count());
        assert!(!lines.join("\n").contains("more lines"));
    }
}
