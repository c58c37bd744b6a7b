//! `archive`: the archived part of each stream, archiving on request, and the check of all hashes.

use anyhow::Result;
use clap::{Args, Subcommand};
use serde_json::json;

use super::{
    Reason, follow,
    models::Verify,
    output::{Output, note},
    responses::{Begun, StreamsOverview},
    streams,
};
use crate::client::Client;

#[derive(Debug, Args)]
pub struct Archive {
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Moves old events to the archive now, and waits for the end.
    Run(Run),
    /// Reads every segment and compares its hashes with the manifest. Exits with 1 if one differs.
    Verify(Check),
}

#[derive(Debug, Args)]
struct Run {
    /// The age in days above which events move; by default, those outside the configured window.
    #[arg(long, value_name = "DAYS")]
    after_days: Option<u16>,
    /// Returns without waiting for the end.
    #[arg(long)]
    detach: bool,
    #[command(flatten)]
    reason: Reason,
}

#[derive(Debug, Args)]
struct Check {
    #[command(flatten)]
    reason: Reason,
}

impl Archive {
    pub async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        match self.verb {
            None => list(client, out).await,
            Some(Verb::Run(run)) => run.run(client, out).await,
            Some(Verb::Verify(check)) => Verify::of_archive(check.reason).run(client, out).await,
        }
    }
}

/// Prints the archived part of each stream.
async fn list(client: &Client, out: &mut Output) -> Result<()> {
    let overview: StreamsOverview = client.get(&["streams"], &[]).await?;
    if out.json {
        for stream in overview.streams.iter().filter(|it| it.archived.is_some()) {
            out.object(stream)?;
        }
        return Ok(());
    }
    let table = streams::archived(&overview.streams);
    if table.is_empty() {
        note("Nothing is archived.");
        return Ok(());
    }
    out.table(&table)
}

impl Run {
    async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        let body = json!({ "reason": self.reason.get()?, "afterDays": self.after_days });
        let begun: Begun = client.post(&["archive"], &body).await?;
        if self.detach {
            let id = begun.replay_id;
            let message = format!("Archiving has begun. See: tiffin events replays show {id}");
            return out.done(&begun, &message);
        }
        let ended = follow::until_end(client, begun.replay_id).await?;
        follow::print_result(out, &ended)
    }
}
