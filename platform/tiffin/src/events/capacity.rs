//! `capacity`: what is full first, and when.

use anyhow::Result;
use console::style;
use indicatif::BinaryBytes;
use time::OffsetDateTime;

use super::{
    output::{Output, span, thousands},
    responses::{Capacity, DatabaseCapacity, StreamCapacity, Window},
    table::Table,
    times,
};
use crate::client::Client;

/// The seconds before a stream is full from which on its date is yellow, and red.
const SOON: f64 = 14.0 * 86_400.0;
const VERY_SOON: f64 = 2.0 * 86_400.0;

pub async fn run(client: &Client, out: &mut Output) -> Result<()> {
    let capacity: Capacity = client.get(&["capacity"], &[]).await?;
    if out.json {
        return out.object(&capacity);
    }
    let text = text(&capacity, out.width);
    out.bytes(text.as_bytes())
}

fn text(capacity: &Capacity, width: Option<usize>) -> String {
    format!(
        "{}\n{}\n{}\n",
        streams(capacity).render(width),
        databases(&capacity.databases).render(width),
        lines(capacity).join("\n"),
    )
}

fn streams(capacity: &Capacity) -> Table {
    let mut table = Table::new(&[
        "STREAM",
        "FULL ON",
        ">FULL",
        ">SIZE",
        ">CAP",
        ">EVENTS A DAY",
        ">SIZE A DAY",
        "WHEN FULL",
    ]);
    for one in &capacity.streams {
        table.row([
            one.name.clone(),
            full_on(one, &capacity.window),
            percent(one.percent),
            bytes(one.bytes),
            one.max_bytes.map_or_else(|| "none".to_owned(), bytes),
            one.events_a_day.map_or_else(unknown, number),
            one.bytes_a_day.map_or_else(unknown, mean_bytes),
            if one.refuses {
                "refuses events"
            } else {
                "drops the oldest"
            }
            .to_owned(),
        ]);
    }
    table
}

/// The day on which a stream is full.
fn full_on(stream: &StreamCapacity, window: &Window) -> String {
    match stream.full_at {
        Some(at) => date(at),
        None if stream.refuses && window.days < 1.0 => unknown(),
        None => "never".to_owned(),
    }
}

/// `2026-12-16, in 21.0 d`, in a colour if that is soon.
fn date(at: OffsetDateTime) -> String {
    let left = times::until(at);
    if left <= 0.0 {
        return style("full").red().bold().to_string();
    }
    let text = format!("{}, in {}", at.date(), span(left));
    match left {
        left if left < VERY_SOON => style(text).red().to_string(),
        left if left < SOON => style(text).yellow().to_string(),
        _ => text,
    }
}

fn databases(databases: &[DatabaseCapacity]) -> Table {
    let mut table = Table::new(&[
        "DATABASE",
        ">OUTBOX ROWS",
        ">OUTBOX",
        ">ROWS A DAY",
        ">SIZE A DAY",
        ">OTHER TABLES",
    ]);
    for one in databases {
        let name = one.name.clone();
        let Some(outbox) = &one.outbox else {
            let away = style("unreachable").red().to_string();
            table.row([name, away, unknown(), unknown(), unknown(), unknown()]);
            continue;
        };
        table.row([
            name,
            thousands(outbox.rows),
            bytes(outbox.bytes),
            outbox.rows_a_day.map_or_else(unknown, number),
            outbox.bytes_a_day.map_or_else(unknown, mean_bytes),
            one.other_bytes.map_or_else(unknown, bytes),
        ]);
    }
    table
}

fn lines(capacity: &Capacity) -> Vec<String> {
    let Capacity {
        window,
        order,
        event_log,
        broker,
        ..
    } = capacity;
    let grows = |pace: Option<f64>| {
        pace.map_or_else(String::new, |pace| format!(", {} a day", mean_bytes(pace)))
    };
    let of = broker.max_bytes.map_or_else(String::new, |max| {
        format!(" of {} ({})", bytes(max), percent(broker.percent))
    });
    let full = broker
        .full_at
        .map_or_else(String::new, |at| format!("; full on {}", date(at)));
    let mut lines = vec![
        format!(
            "Broker's disk: {}{of}{}{full}.",
            bytes(broker.bytes),
            grows(broker.bytes_a_day)
        ),
        format!(
            "Event log: {}{}; {} {}{}.",
            bytes(event_log.bytes),
            grows(event_log.bytes_a_day),
            event_log.months,
            if event_log.months == 1 {
                "month"
            } else {
                "months"
            },
            event_log.settles_at.map_or_else(String::new, |at| format!(
                "; it stays at {}",
                mean_bytes(at)
            ))
        ),
    ];
    lines.push(match order {
        Some(order) => format!(
            "An order: {:.1} events and {} in streams (mean of {} orders).",
            order.events,
            mean_bytes(order.bytes),
            thousands(order.placed)
        ),
        None => "No order was placed in this time.".to_owned(),
    });
    lines.push(match window.days {
        days if days < 1.0 => {
            "The platform is younger than a day: its pace says too little yet.".to_owned()
        }
        _ if window.is_whole => "Paces are those of the last 7 days.".to_owned(),
        days => format!("Paces are those of {days:.1} days, the age of the platform."),
    });
    lines
}

fn percent(percent: Option<f64>) -> String {
    percent.map_or_else(unknown, |percent| format!("{percent:.1} %"))
}

fn bytes(bytes: u64) -> String {
    BinaryBytes(bytes).to_string()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a mean of sizes is positive and far below 2^64"
)]
fn mean_bytes(mean: f64) -> String {
    bytes(mean.round() as u64)
}

/// A mean for people: `0.3`, `12`, `1,204`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a mean of counts is far below 2^63"
)]
fn number(mean: f64) -> String {
    if mean > 0.0 && mean < 10.0 {
        format!("{mean:.1}")
    } else {
        thousands(mean.round() as i64)
    }
}

fn unknown() -> String {
    "–".to_owned()
}
