//! `show`: one event.

use anyhow::Result;
use clap::Args;
use console::style;
use serde_json::Value;

use super::{
    Reason,
    names::StreamName,
    output::{Output, note},
    responses::LoggedEvent,
    tree,
};
use crate::client::{Client, failure::Failure};

#[derive(Debug, Args)]
pub struct Show {
    /// The stream: `ORDERS`, or with the stream sequence as a search shows it, `ORDERS/12`.
    #[arg(value_parser = StreamName)]
    stream: String,
    /// Its stream sequence.
    seq: Option<u64>,
    /// Shows personal fields. It is recorded, with the reason.
    #[arg(long)]
    reveal: bool,
    #[command(flatten)]
    reason: Reason,
}

impl Show {
    pub async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        let (stream, seq) = match (self.stream.split_once('/'), self.seq) {
            (None, Some(seq)) => (self.stream.as_str(), seq),
            (Some((stream, seq)), None) => (stream, seq.parse().map_err(|_| missing_sequence())?),
            _ => return Err(missing_sequence().into()),
        };
        let reason = if self.reveal {
            Some(self.reason.get()?)
        } else {
            None
        };
        let logged = fetch(client, stream, seq, reason).await?;
        if out.json {
            return out.object(&logged);
        }
        print(out, &logged)
    }
}

fn missing_sequence() -> Failure {
    Failure::usage("Name the event by stream and sequence: show ORDERS 12, or show ORDERS/12.")
}

/// Fetches one event; with a reason, personal fields are shown.
pub async fn fetch(
    client: &Client,
    stream: &str,
    seq: u64,
    reason: Option<String>,
) -> Result<LoggedEvent> {
    let reveal: Vec<_> = reason
        .map(|reason| ("reveal", reason))
        .into_iter()
        .collect();
    client
        .get(&["events", stream, &seq.to_string()], &reveal)
        .await
}

fn print(out: &mut Output, logged: &LoggedEvent) -> Result<()> {
    let at = format!("{}/{}", logged.stream, logged.seq);
    out.line(format!(
        "{}  {}",
        style(at).cyan(),
        style(logged.text("type")).bold()
    ))?;
    out.line(tree::field("on", &logged.subject.as_str().into()))?;
    match &logged.event {
        Value::Object(fields) => {
            let mut envelope = fields.clone();
            let data = envelope.remove("data").unwrap_or_default();
            for (name, value) in &envelope {
                out.line(tree::field(name, value))?;
            }
            out.line(style("data").bold().to_string())?;
            for line in tree::lines(&data) {
                out.line(line)?;
            }
        }
        other => out.line(tree::one_line(&other.to_string()))?,
    }
    if holds_mask(&logged.event) {
        note("Personal fields are masked. See them with --reveal and a reason, which is recorded.");
    }
    Ok(())
}

/// True if something in it is masked.
pub fn holds_mask(value: &Value) -> bool {
    match value {
        Value::String(text) => text == tree::MASK,
        Value::Array(items) => items.iter().any(holds_mask),
        Value::Object(fields) => fields.values().any(holds_mask),
        _ => false,
    }
}
