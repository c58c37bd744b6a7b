//! `rebuild`, `roll-back` and `verify`: consumers' read models.

use std::collections::BTreeSet;

use anyhow::Result;
use clap::{Args, ValueHint};
use serde_json::{Value, json};

use super::{
    Reason, follow,
    output::{Output, note, state, thousands},
    responses::{Begun, Comparison, Consumer, Done, Replay, StreamsOverview},
    table::Table,
};
use crate::client::{Client, failure::Failure};

/// The name of the event log among read models.
const LOG: &str = "event-log";
/// The chain of operations.
const AUDIT: &str = "audit";
/// The archive of old events.
const ARCHIVE: &str = "archive";

#[derive(Debug, Args)]
pub struct Rebuild {
    /// The consumer: `delivery_ORDERS`; `event-log` for what events are searched in.
    #[arg(value_hint = ValueHint::Other)]
    consumer: String,
    /// Reads from the first event, though there is a snapshot of the read model.
    #[arg(long)]
    from_first_event: bool,
    /// Returns without waiting for the end.
    #[arg(long)]
    detach: bool,
    #[command(flatten)]
    reason: Reason,
}

#[derive(Debug, Args)]
pub struct RollBack {
    /// The consumer: `delivery_ORDERS`.
    #[arg(value_hint = ValueHint::Other)]
    consumer: String,
    #[command(flatten)]
    reason: Reason,
}

#[derive(Debug, Args)]
pub struct Verify {
    /// The consumers, `event-log`, `audit` for the chain of operations, or `archive` for the hashes of
    /// archived events; without any, all that keep a read model, and these three.
    #[arg(value_hint = ValueHint::Other)]
    consumer: Vec<String>,
    /// Reads from the first event, though there are snapshots of the read models.
    #[arg(long)]
    from_first_event: bool,
    #[command(flatten)]
    reason: Reason,
}

impl Rebuild {
    pub async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        let overview = StreamsOverview::get(client).await?;
        check_target(&overview, &self.consumer)?;
        let body = body(&self.reason.get()?, self.from_first_event);
        let begun = begin(client, &self.consumer, "rebuild", &body).await?;
        if self.detach {
            let id = begun.replay_id;
            return out.done(
                &begun,
                &format!("The rebuild has begun. See: tiffin events replays show {id}"),
            );
        }
        let ended = follow::until_end(client, begun.replay_id).await?;
        if !out.json {
            print(out, &[(&ended, compared(&ended))])?;
        }
        follow::print_result(out, &ended)
    }
}

impl RollBack {
    pub async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        let overview = StreamsOverview::get(client).await?;
        check_target(&overview, &self.consumer)?;
        let reason = json!({ "reason": self.reason.get()? });
        let path = ["projections", &self.consumer, "rollback"];
        let done: Done = client.post(&path, &reason).await?;
        out.done(&done, &done.message)
    }
}

impl Verify {
    /// The check of the archive alone.
    pub fn of_archive(reason: Reason) -> Self {
        Self {
            consumer: vec![ARCHIVE.to_owned()],
            from_first_event: false,
            reason,
        }
    }

    pub async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        let overview = StreamsOverview::get(client).await?;
        for consumer in &self.consumer {
            check_target(&overview, consumer)?;
        }
        let body = body(&self.reason.get()?, self.from_first_event);
        let all: Vec<&Consumer> = overview
            .streams
            .iter()
            .flat_map(|one| &one.consumers)
            .collect();
        let mut chosen = one_for_each_model(&all, &self.consumer);
        if self.consumer.is_empty() {
            chosen.extend([LOG, AUDIT].map(str::to_owned));
            if overview.streams.iter().any(|one| one.archived.is_some()) {
                chosen.push(ARCHIVE.to_owned());
            }
        }
        let mut ended = Vec::new();
        for consumer in chosen {
            let begun = begin(client, &consumer, "verify", &body).await?;
            let one = follow::until_end(client, begun.replay_id).await?;
            if out.json {
                out.object(&one)?;
            }
            ended.push(one);
        }
        let found: Vec<(&Replay, Comparison)> =
            ended.iter().map(|one| (one, compared(one))).collect();
        if !out.json {
            print(out, &found)?;
        }
        require_equal(&found)
    }
}

/// Refuses what is no read model, before a reason is asked for.
fn check_target(overview: &StreamsOverview, name: &str) -> Result<()> {
    if [LOG, AUDIT, ARCHIVE].contains(&name) {
        return Ok(());
    }
    overview.check_consumer(name)
}

fn body(reason: &str, from_first_event: bool) -> Value {
    json!({ "reason": reason, "fromFirstEvent": from_first_event })
}

async fn begin(client: &Client, consumer: &str, verb: &str, body: &Value) -> Result<Begun> {
    client.post(&["projections", consumer, verb], body).await
}

/// The comparison; not equal if there is none.
fn compared(ended: &Replay) -> Comparison {
    let report = ended.report.clone().unwrap_or_default();
    serde_json::from_value(report).unwrap_or(Comparison {
        equal: false,
        tables: Vec::new(),
        failures: Vec::new(),
        snapshot: None,
    })
}

fn print(out: &mut Output, found: &[(&Replay, Comparison)]) -> Result<()> {
    let mut table = Table::new(&["CONSUMER", "TABLE", "", ">SERVING ROWS", ">REBUILT ROWS"]);
    for (replay, comparison) in found {
        for one in &comparison.tables {
            table.row([
                replay.target.clone(),
                one.table.clone(),
                state(if one.equal { "equal" } else { "differs" }).to_string(),
                thousands(one.serving_rows),
                thousands(one.rebuilt_rows),
            ]);
        }
    }
    if !table.is_empty() {
        out.table(&table)?;
    }
    for (replay, comparison) in found {
        if let Some(snapshot) = &comparison.snapshot {
            out.line(format!("{}: {}", replay.target, snapshot.sentence()))?;
        }
    }
    Ok(())
}

/// Fails unless all have ended and are equal.
fn require_equal(found: &[(&Replay, Comparison)]) -> Result<()> {
    for failure in found.iter().flat_map(|(_, one)| &one.failures) {
        note(format!("  {failure}"));
    }
    for (replay, _) in found {
        follow::check_outcome(replay)?;
    }
    if found.iter().all(|(_, one)| one.equal) {
        return Ok(());
    }
    let tables = found.iter().flat_map(|(_, one)| &one.tables);
    let differ: Vec<&str> = tables
        .filter(|table| !table.equal)
        .map(|table| table.table.as_str())
        .collect();
    Err(Failure::failed(format!("Not equal: {}.", differ.join(", "))).into())
}

/// One consumer for each read model, because consumers that share a table are rebuilt together: of the named
/// consumers, or of all that have a read model.
fn one_for_each_model(all: &[&Consumer], named: &[String]) -> Vec<String> {
    if named.is_empty() {
        let with_models = all.iter().filter(|one| !one.tables.is_empty());
        let every: Vec<String> = with_models.map(|one| one.name.clone()).collect();
        return if every.is_empty() {
            every
        } else {
            one_for_each_model(all, &every)
        };
    }
    let mut covered = BTreeSet::new();
    let mut chosen = Vec::new();
    for name in named {
        if !covered.contains(name.as_str()) {
            covered.extend(sharing_tables(all, name));
            chosen.push(name.clone());
        }
    }
    chosen
}

/// The consumers of the same service that share a table with a consumer, directly or through others.
fn sharing_tables<'a>(all: &[&'a Consumer], name: &'a str) -> BTreeSet<&'a str> {
    let service = |name: &str| name.split('_').next().map(str::to_owned);
    let own: Vec<&Consumer> = all
        .iter()
        .copied()
        .filter(|one| service(&one.name) == service(name))
        .collect();
    let mut related = BTreeSet::from([name]);
    loop {
        let members = own.iter().filter(|one| related.contains(one.name.as_str()));
        let tables: BTreeSet<&String> = members.flat_map(|one| &one.tables).collect();
        let more: Vec<&str> = own
            .iter()
            .filter(|one| one.tables.iter().any(|table| tables.contains(table)))
            .map(|one| one.name.as_str())
            .filter(|name| !related.contains(name))
            .collect();
        if more.is_empty() {
            return related;
        }
        related.extend(more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn consumer(name: &str, tables: &[&str]) -> Consumer {
        Consumer {
            name: name.to_owned(),
            pending: 0,
            in_flight: 0,
            redelivered: 0,
            lag_seconds: 0.0,
            takes_replays: true,
            tables: tables.iter().map(ToString::to_string).collect(),
            blocked: 0,
            parked: 0,
        }
    }

    #[test]
    fn a_read_model_that_consumers_share_is_checked_once() {
        let known = [
            consumer("order_CATALOG", &["restaurants", "items"]),
            consumer("order_DRIVERS", &["people"]),
            consumer("order_USERS", &["people", "restaurants"]),
            consumer("payment_USERS", &["people"]),
            consumer("payment_ORDERS", &[]),
        ];
        let all: Vec<&Consumer> = known.iter().collect();
        assert_eq!(
            one_for_each_model(&all, &[]),
            ["order_CATALOG", "payment_USERS"]
        );
        let named = [
            "order_USERS".to_owned(),
            "order_DRIVERS".to_owned(),
            "unknown".to_owned(),
        ];
        assert_eq!(one_for_each_model(&all, &named), ["order_USERS", "unknown"]);
        assert!(one_for_each_model(&[], &[]).is_empty());
    }
}
