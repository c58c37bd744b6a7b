//! `replays`: lists and controls operations that take time.

use anyhow::Result;
use clap::{Args, Subcommand};
use uuid::Uuid;

use super::{
    Reason, follow,
    output::{Output, note, state, thousands},
    responses::Replay,
    table::Table,
    times, tree,
};
use crate::client::Client;

/// The most that one call answers.
const MAX_PAGE: usize = 500;

#[derive(Debug, Args)]
pub struct Replays {
    #[command(subcommand)]
    action: Option<Action>,
    /// Replays at most.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Shows one operation and its result.
    Show {
        /// The replay's id.
        id: Uuid,
        /// Follows it to its end.
        #[arg(long, short)]
        follow: bool,
    },
    /// Pauses an operation.
    Pause(OneReplay),
    /// Resumes a paused operation.
    Resume(OneReplay),
    /// Cancels an operation for good.
    Cancel(OneReplay),
}

#[derive(Debug, Args)]
struct OneReplay {
    /// The replay's id.
    id: Uuid,
    #[command(flatten)]
    reason: Reason,
}

impl Replays {
    pub async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        match self.action {
            None => list(client, out, usize::try_from(self.limit)?).await,
            Some(Action::Show { id, follow: true }) => {
                let ended = follow::until_end(client, id).await?;
                follow::print_result(out, &ended)
            }
            Some(Action::Show { id, follow: false }) => {
                let replay: Replay = client.get(&["replays", &id.to_string()], &[]).await?;
                show(out, &replay)
            }
            Some(Action::Pause(target)) => target.post(client, out, "pause").await,
            Some(Action::Resume(target)) => target.post(client, out, "resume").await,
            Some(Action::Cancel(target)) => {
                let reason = target.reason.get()?;
                let path = ["replays", &target.id.to_string()];
                let replay: Replay = client.delete(&path, &reason).await?;
                out.done(&replay, &follow::summary(&replay))
            }
        }
    }
}

impl OneReplay {
    async fn post(self, client: &Client, out: &mut Output, verb: &str) -> Result<()> {
        let reason = serde_json::json!({ "reason": self.reason.get()? });
        let path = ["replays", &self.id.to_string(), verb];
        let replay: Replay = client.post(&path, &reason).await?;
        out.done(&replay, &follow::summary(&replay))
    }
}

async fn list(client: &Client, out: &mut Output, limit: usize) -> Result<()> {
    let mut found: Vec<Replay> = Vec::new();
    while found.len() < limit {
        let size = (limit - found.len()).min(MAX_PAGE);
        let mut query = vec![("limit", size.to_string())];
        query.extend(found.last().map(|last| ("cursor", last.id.to_string())));
        let page: Vec<Replay> = client.get(&["replays"], &query).await?;
        let is_last = page.len() < size;
        found.extend(page);
        if is_last {
            break;
        }
    }
    if out.json {
        for replay in &found {
            out.object(replay)?;
        }
        return Ok(());
    }
    if found.is_empty() {
        note("There are no replays or other long operations yet.");
        return Ok(());
    }
    out.table(&table(&found))
}

fn table(replays: &[Replay]) -> Table {
    let mut table = Table::new(&[
        "ID", "BEGAN", "VERB", "TARGET", "STATE", ">DONE", ">OF", "REASON",
    ]);
    for one in replays {
        table.row([
            one.id.to_string(),
            times::format(one.started_at),
            one.verb.clone(),
            one.target_name().to_owned(),
            state(one.state()).to_string(),
            thousands(one.published),
            thousands(one.total),
            tree::one_line(&one.reason),
        ]);
    }
    table
}

fn show(out: &mut Output, replay: &Replay) -> Result<()> {
    if out.json {
        return out.object(replay);
    }
    out.line(follow::summary(replay))?;
    for line in tree::lines(&serde_json::to_value(replay)?) {
        out.line(line)?;
    }
    Ok(())
}
