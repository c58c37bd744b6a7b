//! `tiffin events`: the event history for operators, over the HTTP of the operator service.

mod account;
mod archive;
mod capacity;
mod confirm;
mod dead_letters;
mod edit;
mod export;
mod follow;
mod import;
mod models;
mod names;
mod output;
mod parquet;
mod replay;
mod replays;
mod republish;
mod responses;
mod search;
mod show;
mod streams;
mod table;
mod timeline;
mod times;
mod tree;

use std::io::ErrorKind;

use anyhow::Result;
use clap::{Args, Subcommand};
use tiffin_chassis::Env;

use self::output::Output;
use crate::client::{At, Client, failure, session::Sessions};

/// The options of every verb.
#[derive(Debug, Args)]
#[command(after_long_help = failure::CODES)]
pub struct Options {
    #[command(flatten)]
    at: At,
    /// Prints JSON, one object a line, instead of tables.
    #[arg(long, global = true, display_order = 900)]
    json: bool,
    #[command(subcommand)]
    verb: Verb,
}

/// The reason of an operation.
#[derive(Debug, Args)]
struct Reason {
    /// The reason, recorded in the audit. On a terminal you are asked for it.
    #[arg(long)]
    reason: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Signs an operator in and stores the session. Asks for the password and the code of the authenticator app, or
    /// reads `TIFFIN_PASSWORD` and `TIFFIN_CODE`. Commands that act on the history ask again after five minutes.
    SignIn(account::SignIn),
    /// Ends the stored session.
    SignOut,
    /// Shows the size of each stream, the progress of each consumer, and each service's outbox.
    Streams(streams::Streams),
    /// Shows what is full first, and when: the fill and growth of each stream, outbox and the broker's disk at the pace
    /// of the last seven days, and the bytes of an order.
    Capacity,
    /// Searches events by stream, type, aggregate, actor, time or words, newest first.
    Search(search::Search),
    /// Shows one event as a tree. Personal fields are masked.
    Show(show::Show),
    /// Shows all events of an order, one column for each service, with causes and latencies.
    Timeline(timeline::Timeline),
    /// Delivers part of a stream to one consumer again, or shows it to browsers.
    Replay(replay::Replay),
    /// Lists, follows, pauses, resumes or cancels replays and other long operations.
    Replays(replays::Replays),
    /// Lists, retries, corrects or discards dead letters: events that a consumer could not handle.
    Dead(dead_letters::Dead),
    /// Rebuilds a consumer's read model beside the serving one, and swaps them.
    Rebuild(models::Rebuild),
    /// Restores the read model that the last rebuild replaced.
    RollBack(models::RollBack),
    /// Rebuilds read models, compares them with the serving ones, and checks the audit's chain. Exits with
    /// 1 if they differ or the chain is broken.
    Verify(models::Verify),
    /// Shows the archive of old events, moves events there, or verifies it.
    Archive(archive::Archive),
    /// Publishes events that streams have lost, from the services' outboxes, with their ids and order.
    Republish(republish::Republish),
    /// Writes streams to standard output, one event a line, or as a Parquet file. It shows everything, so it is
    /// recorded.
    Export(export::Export),
    /// Imports exported events into the empty streams of another platform, with their ids and order. A repeated
    /// import continues where the first stopped.
    Import(import::Import),
    /// Shows the operations of operators with their reasons, newest first.
    Operations(search::Operations),
}

/// Runs the command. A reader that closes the pipe early is no error.
pub async fn run(options: Options, env: &Env) -> Result<()> {
    match run_command(options, env).await {
        Err(error) if is_closed_pipe(&error) => Ok(()),
        done => done,
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

async fn run_command(options: Options, env: &Env) -> Result<()> {
    let mut out = Output::new(options.json);
    let sessions = Sessions::of_user(env);
    let client = Client::new(options.at, env, sessions)?;
    match options.verb {
        Verb::SignIn(verb) => verb.run(&client, env, &mut out).await,
        Verb::SignOut => account::sign_out(&client, &mut out).await,
        Verb::Streams(verb) => verb.run(&client, &mut out).await,
        Verb::Capacity => capacity::run(&client, &mut out).await,
        Verb::Search(verb) => verb.run(&client, &mut out).await,
        Verb::Show(verb) => verb.run(&client, &mut out).await,
        Verb::Timeline(verb) => verb.run(&client, &mut out).await,
        Verb::Replay(verb) => verb.run(&client, &mut out).await,
        Verb::Replays(verb) => verb.run(&client, &mut out).await,
        Verb::Dead(verb) => verb.run(&client, &mut out).await,
        Verb::Rebuild(verb) => verb.run(&client, &mut out).await,
        Verb::RollBack(verb) => verb.run(&client, &mut out).await,
        Verb::Verify(verb) => verb.run(&client, &mut out).await,
        Verb::Archive(verb) => verb.run(&client, &mut out).await,
        Verb::Republish(verb) => verb.run(&client, &mut out).await,
        Verb::Export(verb) => verb.run(&client, &mut out).await,
        Verb::Import(verb) => verb.run(&client, &mut out).await,
        Verb::Operations(verb) => verb.run(&client, &mut out).await,
    }
}
