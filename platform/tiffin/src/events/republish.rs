//! `republish`: streams from the outboxes.

use anyhow::Result;
use clap::Args;
use serde_json::json;

use super::{
    Reason, follow,
    output::{Output, state, thousands},
    responses::{Begun, Replay},
    table::Table,
};
use crate::client::Client;

#[derive(Debug, Args)]
pub struct Republish {
    /// From the services' outboxes, which hold every published event that the archive does not.
    #[arg(long, required = true)]
    from_outbox: bool,
    /// Only events of this service.
    #[arg(long)]
    service: Option<String>,
    /// Returns without waiting for the end.
    #[arg(long)]
    detach: bool,
    #[command(flatten)]
    reason: Reason,
}

impl Republish {
    pub async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        let body = json!({ "reason": self.reason.get()?, "service": self.service });
        let begun: Vec<Begun> = client.post(&["republish"], &body).await?;
        if self.detach {
            for one in &begun {
                out.done(one, &one.replay_id.to_string())?;
            }
            return Ok(());
        }
        let mut ended = Vec::new();
        for one in &begun {
            let replay = follow::until_end(client, one.replay_id).await?;
            if out.json {
                out.object(&replay)?;
            }
            ended.push(replay);
        }
        if !out.json {
            out.table(&table(&ended))?;
        }
        ended.iter().try_for_each(follow::check_outcome)
    }
}

/// The counts of present and missing events, a line for each family of subjects.
fn table(ended: &[Replay]) -> Table {
    let mut table = Table::new(&["SERVICE", "STATE", "SUBJECTS", ">THERE", ">PUBLISHED AGAIN"]);
    for one in ended {
        let families = one
            .report
            .as_ref()
            .and_then(|report| report["republished"].as_array());
        let nothing = Vec::new();
        let families = families.unwrap_or(&nothing);
        for family in families {
            let count = |name: &str| thousands(family[name].as_i64().unwrap_or_default());
            table.row([
                one.target.clone(),
                state(one.state()).to_string(),
                family["subjects"].as_str().unwrap_or_default().to_owned(),
                count("there"),
                count("missing"),
            ]);
        }
        if families.is_empty() {
            let state = state(one.state()).to_string();
            table.row([
                one.target.clone(),
                state,
                String::new(),
                thousands(0),
                thousands(0),
            ]);
        }
    }
    table
}
