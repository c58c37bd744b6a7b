//! `timeline`: one column for each service, time downwards, with causes and latencies.

use std::collections::HashMap;

use anyhow::Result;
use clap::Args;
use console::{Alignment, pad_str, style, truncate_str};
use time::OffsetDateTime;

use super::{
    Reason,
    output::{Output, span},
    responses::LoggedEvent,
    times,
};
use crate::client::Client;

#[derive(Debug, Args)]
pub struct Timeline {
    /// The order's id or code: `ORD-7K3M9QX2`.
    order: String,
    /// Every position of the driver, not only how many there were.
    #[arg(long)]
    positions: bool,
    /// Shows personal fields, places among them. It is recorded, with the reason.
    #[arg(long)]
    reveal: bool,
    #[command(flatten)]
    reason: Reason,
}

impl Timeline {
    pub async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        let reveal = if self.reveal {
            vec![("reveal", self.reason.get()?)]
        } else {
            Vec::new()
        };
        let events: Vec<LoggedEvent> = client.get(&["timeline", &self.order], &reveal).await?;
        if out.json {
            for event in &events {
                out.object(event)?;
            }
            return Ok(());
        }
        let diagram = Diagram::new(&events);
        for line in diagram.lines(self.positions) {
            let line = match out.width {
                Some(width) => truncate_str(&line, width, "…").into_owned(),
                None => line,
            };
            out.line(line)?;
        }
        Ok(())
    }
}

struct Diagram<'a> {
    events: &'a [LoggedEvent],
    /// The services, in the order of their first events.
    columns: Vec<&'a str>,
    by_id: HashMap<&'a str, &'a LoggedEvent>,
    began: Option<OffsetDateTime>,
}

impl<'a> Diagram<'a> {
    fn new(events: &'a [LoggedEvent]) -> Self {
        let mut columns = Vec::new();
        for event in events {
            let column = column(event);
            if !columns.contains(&column) {
                columns.push(column);
            }
        }
        Self {
            events,
            columns,
            by_id: events
                .iter()
                .map(|event| (event.text("id"), event))
                .collect(),
            began: events.iter().find_map(LoggedEvent::time),
        }
    }

    fn lines(&self, positions: bool) -> Vec<String> {
        let mut lines = vec![self.head()];
        let mut remaining = self.events;
        while let Some(first) = remaining.first() {
            let together = if positions || !is_position(first) {
                1
            } else {
                remaining
                    .iter()
                    .take_while(|event| is_position(event))
                    .count()
            };
            let (now, later) = remaining.split_at(together);
            lines.push(self.line(first, now));
            remaining = later;
        }
        lines
    }

    fn head(&self) -> String {
        let began = self.began.map(times::format).unwrap_or_default();
        let columns: Vec<String> = self
            .columns
            .iter()
            .map(|column| style(column).bold().to_string())
            .collect();
        format!("{began:<TIME_WIDTH$}  {}", columns.join("  "))
    }

    /// The line of one event, or of consecutive positions.
    fn line(&self, first: &LoggedEvent, together: &[LoggedEvent]) -> String {
        let own = column(first);
        let columns: Vec<String> = self
            .columns
            .iter()
            .map(|column| {
                let mark = if *column == own {
                    style("●").cyan()
                } else {
                    style("│").dim()
                };
                pad_str(
                    &mark.to_string(),
                    column.chars().count(),
                    Alignment::Left,
                    None,
                )
                .into_owned()
            })
            .collect();
        let after = self.since_the_first(first);
        let text = match together {
            [_] => format!("{}{}", first.kind(), self.cause(first)),
            many => format!("{} positions{}", many.len(), lasted(many)),
        };
        format!("{after:>TIME_WIDTH$}  {}  {text}", columns.join("  "))
    }

    fn since_the_first(&self, event: &LoggedEvent) -> String {
        let since = event
            .time()
            .zip(self.began)
            .map(|(time, began)| time - began);
        since.map_or_else(String::new, |since| {
            format!("+{}", span(since.as_seconds_f64()))
        })
    }

    /// The cause of an event, and the time since then.
    fn cause(&self, event: &LoggedEvent) -> String {
        let Some(cause) = self.by_id.get(event.text("causationid")) else {
            return String::new();
        };
        let latency = event
            .time()
            .zip(cause.time())
            .map(|(time, cause)| (time - cause).as_seconds_f64());
        let latency = latency
            .map(|latency| format!(" after {}", span(latency)))
            .unwrap_or_default();
        style(format!("  ← {}{latency}", cause.kind()))
            .dim()
            .to_string()
    }
}

/// The width of the times.
const TIME_WIDTH: usize = 24;

/// The service that published it.
fn column(event: &LoggedEvent) -> &str {
    let source = event.text("source");
    source.strip_prefix("tiffin/").unwrap_or(source)
}

fn is_position(event: &LoggedEvent) -> bool {
    event.stream == "POSITIONS"
}

fn lasted(many: &[LoggedEvent]) -> String {
    let ends = many.first().zip(many.last());
    let times = ends.and_then(|(first, last)| first.time().zip(last.time()));
    times.map_or_else(String::new, |(first, last)| {
        format!(" in {}", span((last - first).as_seconds_f64()))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(id: &str, kind: &str, source: &str, second: u8, cause: &str) -> LoggedEvent {
        let stream = if kind == "position.updated" {
            "POSITIONS"
        } else {
            "ORDERS"
        };
        LoggedEvent {
            stream: stream.to_owned(),
            seq: 1,
            subject: String::new(),
            event: json!({
                "id": id, "type": format!("tiffin.{kind}.v1"), "source": format!("tiffin/{source}"),
                "time": format!("2026-11-21T10:00:{second:02}Z"), "causationid": cause,
            }),
        }
    }

    #[test]
    fn each_service_has_a_lane_and_each_effect_names_its_cause_and_latency() {
        console::set_colors_enabled(false);
        let events = [
            event("1", "order.placed", "order", 0, ""),
            event("2", "payment.captured", "payment", 2, "1"),
            event("3", "position.updated", "driver", 10, ""),
            event("4", "position.updated", "driver", 20, ""),
        ];
        let diagram = Diagram::new(&events);
        let lines: Vec<String> = diagram
            .lines(false)
            .iter()
            .map(|line| line.trim().to_owned())
            .collect();
        assert_eq!(lines[0], "2026-11-21 10:00:00.000Z  order  payment  driver");
        assert_eq!(lines[1], "+0 ms  ●      │        │       order.placed");
        assert_eq!(
            lines[2],
            "+2.0 s  │      ●        │       payment.captured  ← order.placed after 2.0 s"
        );
        assert_eq!(
            lines[3],
            "+10.0 s  │      │        ●       2 positions in 10.0 s"
        );
        assert_eq!(diagram.lines(true).len(), 5);
    }
}
