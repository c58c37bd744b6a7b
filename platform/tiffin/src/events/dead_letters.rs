//! `dead`: events that consumers could not handle.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::{Args, Subcommand, ValueHint};
use console::style;
use serde_json::json;

use super::{
    Reason, confirm,
    edit::Edit,
    output::{Output, highlight_nonzero, note, span},
    responses::{DeadLetter, Done, Settled},
    table::Table,
    times,
    tree::{self, one_line},
};
use crate::client::{
    Client,
    failure::{Exit, Failure},
};

#[derive(Debug, Args)]
pub struct Dead {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    filter: Filter,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Shows one dead letter with its event. Personal fields are masked.
    Show {
        /// Its sequence in the stream of dead letters.
        seq: u64,
    },
    /// Retries dead letters, oldest first, then the events parked behind them.
    Retry {
        #[command(flatten)]
        selection: Selection,
        #[command(flatten)]
        reason: Reason,
    },
    /// Publishes a corrected event in place of a dead letter's.
    Edit(Edit),
    /// Discards dead letters for good; the events parked behind them go on.
    Discard {
        #[command(flatten)]
        selection: Selection,
        /// Skips the confirmation of a whole group.
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        reason: Reason,
    },
}

/// The number of dead letters of one call: the most that the service gives.
const PAGE: u32 = 500;

/// A group of dead letters with the same consumer and reason.
#[derive(Debug, Args)]
struct Filter {
    /// Only dead letters of this consumer.
    #[arg(long, value_hint = ValueHint::Other)]
    consumer: Option<String>,
    /// Only dead letters whose cause contains these words.
    #[arg(long, value_name = "WORDS")]
    cause: Option<String>,
}

/// One or many.
#[derive(Debug, Args)]
struct Selection {
    /// Their sequences in the stream of dead letters.
    #[arg(required_unless_present_any = ["all", "consumer", "cause"])]
    seq: Vec<u64>,
    /// All of them.
    #[arg(long, conflicts_with_all = ["seq", "consumer", "cause"])]
    all: bool,
    #[command(flatten)]
    filter: Filter,
}

impl Filter {
    fn matches(&self, letter: &DeadLetter) -> bool {
        let is = |wanted: &Option<String>, holds: &dyn Fn(&str) -> bool| {
            wanted.as_deref().is_none_or(holds)
        };
        is(&self.consumer, &|consumer| letter.consumer == consumer)
            && is(&self.cause, &|words| letter.reason.contains(words))
    }
}

impl Dead {
    pub async fn run(self, client: &Client, out: &mut Output) -> Result<()> {
        match self.action {
            None => list(client, out, &self.filter).await,
            Some(Action::Show { seq }) => show(out, &find(client, seq).await?),
            Some(Action::Retry { selection, reason }) => {
                let reason = reason.get()?;
                let selected = selection.select(client).await?;
                settle(client, out, &selected, "retry", &reason).await
            }
            Some(Action::Edit(edit)) => edit.run(client, out).await,
            Some(Action::Discard {
                selection,
                yes,
                reason,
            }) => {
                let reason = reason.get()?;
                let selected = selection.select(client).await?;
                if selection.seq.is_empty() {
                    let count = u64::try_from(selected.len())?;
                    confirm::confirm_count(yes, "dead letters to discard", count)?;
                }
                settle(client, out, &selected, "discard", &reason).await
            }
        }
    }
}

impl Selection {
    /// The sequences, oldest first.
    async fn select(&self, client: &Client) -> Result<Vec<u64>> {
        if !self.seq.is_empty() {
            return Ok(self.seq.clone());
        }
        let letters = all(client).await?;
        let selected: Vec<u64> = letters
            .iter()
            .filter(|letter| self.filter.matches(letter))
            .map(|letter| letter.seq)
            .collect();
        if selected.is_empty() {
            let message = "No dead letter matches. List them with: tiffin events dead";
            return Err(Failure::new(Exit::NotFound, message).into());
        }
        Ok(selected)
    }
}

/// Settles dead letters one after the other; a failure does not stop the others.
async fn settle(
    client: &Client,
    out: &mut Output,
    selected: &[u64],
    verb: &str,
    reason: &str,
) -> Result<()> {
    let mut failed: Option<Failure> = None;
    let mut failures = 0;
    for &seq in selected {
        let path = seq.to_string();
        let done: Result<Done> = if verb == "retry" {
            client
                .post(&["dead", &path, "retry"], &json!({ "reason": reason }))
                .await
        } else {
            client.delete(&["dead", &path], reason).await
        };
        match done {
            Ok(Done { message }) => {
                let line = format!("{seq}: {message}");
                out.done(&Settled { seq, message }, &line)?;
            }
            Err(error) => {
                let failure = error.downcast::<Failure>()?;
                if selected.len() > 1 {
                    note(format!("{seq}: {failure}"));
                }
                failures += 1;
                failed.get_or_insert(failure);
            }
        }
    }
    match failed {
        None => Ok(()),
        Some(failure) if selected.len() == 1 => Err(failure.into()),
        Some(failure) => {
            let message = format!(
                "{failures} of {} dead letters are not settled.",
                selected.len()
            );
            Err(Failure::new(failure.exit, message).into())
        }
    }
}

async fn list(client: &Client, out: &mut Output, filter: &Filter) -> Result<()> {
    let letters: Vec<DeadLetter> = all(client)
        .await?
        .into_iter()
        .filter(|letter| filter.matches(letter))
        .collect();
    if out.json {
        for letter in &letters {
            out.object(letter)?;
        }
        return Ok(());
    }
    if letters.is_empty() {
        note("There are no dead letters.");
        return Ok(());
    }
    let mut by_cause: BTreeMap<(&str, &str), Vec<&DeadLetter>> = BTreeMap::new();
    for letter in &letters {
        by_cause
            .entry((&letter.consumer, &letter.reason))
            .or_default()
            .push(letter);
    }
    let urgent = letters.iter().filter(|one| one.holds_up_deletion);
    let urgent: Vec<String> = urgent.map(|one| one.seq.to_string()).collect();
    if !urgent.is_empty() {
        let seqs = urgent.join(", ");
        let message = format!("The deletion of an account waits: settle {seqs} first.");
        note(style(message).red().to_string());
    }
    for (n, ((consumer, cause), letters)) in by_cause.into_iter().enumerate() {
        if n > 0 {
            out.line("")?;
        }
        let head = format!(
            "{}: {}",
            style(consumer).bold(),
            style(one_line(cause)).red()
        );
        out.line(format!("{head} ({})", letters.len()))?;
        out.table(&table(&letters))?;
    }
    Ok(())
}

fn table(letters: &[&DeadLetter]) -> Table {
    let mut table = Table::new(&[
        "SEQ",
        ">AGE",
        ">ATTEMPTS",
        ">WAITING",
        "EVENT",
        "TYPE",
        "AGGREGATE",
    ]);
    for one in letters {
        table.row([
            one.seq.to_string(),
            span(times::age(one.time)),
            one.attempts.to_string(),
            highlight_nonzero(one.waiting),
            format!("{}/{}", one.stream, one.stream_seq),
            one_line(one.kind()),
            one_line(one.event["subject"].as_str().unwrap_or_default()),
        ]);
    }
    table
}

fn show(out: &mut Output, letter: &DeadLetter) -> Result<()> {
    if out.json {
        return out.object(letter);
    }
    let head = format!(
        "{}: {}",
        style(&letter.consumer).bold(),
        style(one_line(&letter.reason)).red()
    );
    out.line(head)?;
    for line in tree::lines(&serde_json::to_value(letter)?) {
        out.line(line)?;
    }
    Ok(())
}

/// All dead letters, by the largest pages.
async fn all(client: &Client) -> Result<Vec<DeadLetter>> {
    let mut letters = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let mut query = vec![("limit", PAGE.to_string())];
        query.extend(cursor.map(|cursor| ("cursor", cursor)));
        let page = client.page::<DeadLetter>(&["dead"], &query).await?;
        letters.extend(page.rows);
        cursor = page.next;
        if cursor.is_none() {
            return Ok(letters);
        }
    }
}

/// One dead letter.
pub(super) async fn find(client: &Client, seq: u64) -> Result<DeadLetter> {
    let found = all(client)
        .await?
        .into_iter()
        .find(|letter| letter.seq == seq);
    let missing = || {
        let message = format!("There is no dead letter {seq}: it may be settled already.");
        Failure::new(Exit::NotFound, message)
    };
    Ok(found.ok_or_else(missing)?)
}
