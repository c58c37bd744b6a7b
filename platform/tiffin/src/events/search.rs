//! `search`, and `operations`, which is a search for operations.

use std::fmt::Write as _;

use anyhow::Result;
use clap::Args;
use console::style;
use tiffin_events::catalogue;

use super::{
    Reason,
    names::StreamName,
    output::{Output, note, state},
    responses::LoggedEvent,
    table::Table,
    times,
};
use crate::client::{
    failure::Failure,
    {Client, Page},
};

/// The most that one call answers.
const MAX_PAGE: usize = 500;

#[derive(Debug, Args)]
pub struct Search {
    /// Words in the payload; in personal fields only with --reveal.
    words: Vec<String>,
    /// Only events of this stream.
    #[arg(long, value_parser = StreamName)]
    stream: Option<String>,
    /// Only events of this type: `order.placed`, or in full `tiffin.order.placed.v1`.
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Only events of this order, delivery, user or other aggregate, by id.
    #[arg(long, value_name = "ID")]
    aggregate: Option<uuid::Uuid>,
    /// Only events that belong to this order, by id.
    #[arg(long, value_name = "ID")]
    correlation: Option<uuid::Uuid>,
    /// Only this stream sequence, 12, or this range of them, 12-40.
    #[arg(long, value_name = "SEQUENCES")]
    seq: Option<String>,
    /// Only events caused by this user, by id, or service: `tiffin/order`.
    #[arg(long)]
    actor: Option<String>,
    /// Shows personal fields, and finds words in them. It is recorded, with the reason.
    #[arg(long)]
    reveal: bool,
    #[command(flatten)]
    reason: Reason,
    #[command(flatten)]
    pages: Pages,
}

/// The window of time and the number of results.
#[derive(Debug, Args)]
pub struct Pages {
    /// Not before: 2026-11-21T10:00:00Z, or how long ago: 15m, 2h, 7d.
    #[arg(long, value_name = "TIME", value_parser = times::time)]
    from: Option<String>,
    /// Not after.
    #[arg(long, value_name = "TIME", value_parser = times::time)]
    to: Option<String>,
    /// Events at most.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Everything that matches.
    #[arg(long, conflicts_with = "limit")]
    all: bool,
    /// Goes on after the event that an earlier search ended with: its id.
    #[arg(long, value_name = "ID")]
    cursor: Option<String>,
}

impl Search {
    pub async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        let reveal = if self.reveal {
            Some(self.reason.get()?)
        } else {
            None
        };
        let kind = self.kind.map(|kind| full_type(&kind));
        let mut filters = Vec::new();
        let mut add_filter = |name: &'static str, value: Option<String>| {
            filters.extend(value.map(|value| (name, value)));
        };
        add_filter("stream", self.stream);
        add_filter("type", kind.clone());
        add_filter("aggregate", self.aggregate.map(|id| id.to_string()));
        add_filter("correlation", self.correlation.map(|id| id.to_string()));
        add_filter("seq", self.seq);
        add_filter("actor", self.actor);
        add_filter("q", (!self.words.is_empty()).then(|| self.words.join(" ")));
        add_filter("reveal", reveal);
        let has_found = self.pages.run(client, out, filters, table).await?;
        match kind {
            Some(kind) if !has_found => check_type(&kind),
            _ => Ok(()),
        }
    }
}

impl Pages {
    /// Prints what matches, a page at a time. False if nothing does.
    async fn run(
        self,
        client: &Client,
        out: &mut Output,
        mut filters: Vec<(&'static str, String)>,
        table: fn(&[LoggedEvent]) -> Table,
    ) -> Result<bool> {
        filters.extend(self.from.map(|from| ("from", from)));
        filters.extend(self.to.map(|to| ("to", to)));
        let mut left = if self.all {
            usize::MAX
        } else {
            usize::try_from(self.limit)?
        };
        let mut cursor = self.cursor;
        let mut has_found = cursor.is_some();
        loop {
            let size = left.min(MAX_PAGE);
            let mut query = filters.clone();
            query.push(("limit", size.to_string()));
            query.extend(cursor.clone().map(|cursor| ("cursor", cursor)));
            let Page {
                rows: page,
                next,
                segments_left,
            } = client.page::<LoggedEvent>(&["events"], &query).await?;
            if out.json {
                for event in &page {
                    out.object(event)?;
                }
            } else if !page.is_empty() {
                out.table(&table(&page))?;
            }
            left -= page.len();
            has_found |= !page.is_empty();
            let Some(next) = next else {
                if !has_found {
                    note("No event matches.");
                }
                return Ok(has_found);
            };
            if left == 0 {
                note(format!("There is more: --cursor {next}, or --all"));
                return Ok(has_found);
            }
            if let Some(segments) = segments_left {
                note(format!(
                    "{segments} segments of the archive are left to search. Ctrl-C stops; --cursor {next} goes on."
                ));
            }
            cursor = Some(next);
        }
    }
}

/// Refuses an unknown event type, and names the most similar one.
fn check_type(kind: &str) -> Result<()> {
    let types: Vec<_> = catalogue::entries()
        .iter()
        .map(|entry| entry.kind)
        .collect();
    if types.contains(&kind) {
        return Ok(());
    }
    let likeness = |one: &&str| strsim::jaro_winkler(one, kind);
    let nearest = types
        .into_iter()
        .max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    let mut message = format!("There is no event type {kind}.");
    if let Some(nearest) = nearest {
        let _ = write!(message, " Did you mean {nearest}?");
    }
    Err(Failure::usage(message).into())
}

/// `tiffin.order.placed.v1` of `order.placed`.
fn full_type(kind: &str) -> String {
    let kind = kind.strip_prefix("tiffin.").unwrap_or(kind);
    if kind.matches('.').count() == 1 {
        format!("tiffin.{kind}.v1")
    } else {
        format!("tiffin.{kind}")
    }
}

fn table(page: &[LoggedEvent]) -> Table {
    let mut table = Table::new(&["TIME", "AT", "TYPE", "AGGREGATE", "ACTOR"]);
    for one in page {
        table.row([
            one.time().map(times::format).unwrap_or_default(),
            style(format!("{}/{}", one.stream, one.seq))
                .cyan()
                .to_string(),
            one.kind().to_owned(),
            one.text("subject").to_owned(),
            one.text("actor").to_owned(),
        ]);
    }
    table
}

#[derive(Debug, Args)]
pub struct Operations {
    /// Only of this operator: the account's id.
    #[arg(long)]
    actor: Option<String>,
    /// Only these: replay, rebuild, verify, republish, reveal, export, import, retry, edit, discard …
    #[arg(long)]
    verb: Option<String>,
    #[command(flatten)]
    pages: Pages,
}

impl Operations {
    pub async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        let mut filters = vec![("stream", "OPERATIONS".to_owned())];
        filters.extend(self.actor.map(|actor| ("actor", actor)));
        filters.extend(self.verb.map(|verb| ("q", verb)));
        self.pages.run(client, out, filters, operations).await?;
        Ok(())
    }
}

fn operations(page: &[LoggedEvent]) -> Table {
    let mut table = Table::new(&["TIME", "STATE", "VERB", "TARGET", "ACTOR", "REASON"]);
    for one in page {
        let data = |name: &str| {
            one.event["data"][name]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        let word = one.kind().rsplit('.').next().unwrap_or_default();
        table.row([
            one.time().map(times::format).unwrap_or_default(),
            state(word).to_string(),
            data("verb"),
            data("target"),
            one.text("actor").to_owned(),
            data("reason"),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_may_be_short() {
        assert_eq!(full_type("order.placed"), "tiffin.order.placed.v1");
        assert_eq!(full_type("tiffin.order.placed"), "tiffin.order.placed.v1");
        assert_eq!(
            full_type("tiffin.order.placed.v2"),
            "tiffin.order.placed.v2"
        );
        assert_eq!(full_type("order.placed.v2"), "tiffin.order.placed.v2");
    }
}
