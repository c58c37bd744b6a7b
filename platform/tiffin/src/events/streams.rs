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
    responses::{Stream, StreamsOverview},
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
            let mut overview: StreamsOverview = client.get(&["streams"], &[]).await?;
            self.narrow(&mut overview)?;
            if out.json {
                out.object(&overview)?;
            } else if self.watch && out.width.is_some() {
                redraw(out, &text(&overview, out.width))?;
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
    let lines: Vec<String> = text
        .lines()
        .take(rows)
        .map(|line| format!("{line}\x1b[K\n"))
        .collect();
    out.bytes(format!("\x1b[H{}\x1b[J", lines.concat()).as_bytes())
}

fn text(overview: &StreamsOverview, width: Option<usize>) -> String {
    let mut parts = vec![streams(&overview.streams), archived(&overview.streams)];
    parts.push(consumers(&overview.streams));
    parts.push(services(overview));
    let tables: Vec<String> = parts
        .iter()
        .filter(|table| !table.is_empty())
        .map(|table| table.render(width))
        .collect();
    let letters = match overview.dead_letters {
        0 => "No dead letters.".to_owned(),
        some => style(format!("{some} dead letters. See: tiffin events dead"))
            .red()
            .to_string(),
    };
    format!("{}\n{letters}\n", tables.join("\n"))
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

fn consumers(streams: &[Stream]) -> Table {
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
    for one in streams.iter().flat_map(|stream| &stream.consumers) {
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
