//! `tiffin events` as an operator uses it: the real binary against a running platform.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

mod accounts;
mod cli;
mod dead_letters;
mod models;
mod moving;
mod offline;
#[expect(dead_code, reason = "the platform's own tests use the rest")]
#[path = "../platform/people.rs"]
mod people;
mod reading;
mod replaying;
#[path = "../platform/settle.rs"]
mod settle;
#[expect(dead_code, reason = "the platform's own tests use the rest")]
#[path = "../platform/stack.rs"]
mod stack;
mod terminal;
#[expect(dead_code, reason = "the platform's own tests use the rest")]
#[path = "../platform/town.rs"]
mod town;

use crate::{cli::Cli, stack::Stack, town::Side};

/// One platform for most of it: starting one is what takes longest.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_verb_does_what_it_says_on_a_running_platform() {
    let stack = Stack::start("events::every_verb").await;
    let admin = people::admin(&stack, "operator").await;
    let side = Side::new(&stack, &admin, "cli-").await;
    let (order, _) = side.delivery(&stack).await;
    settle::settle(&stack).await;

    accounts::sign_in_and_out(&stack, &admin, &side.customer);
    accounts::with_an_app(&stack).await;
    let cli = Cli::of(&stack, &admin);
    reading::streams(&cli);
    reading::search(&cli, &order);
    reading::show(&cli);
    reading::timeline(&cli, &order).await;
    moving::make_up(&stack).await;
    moving::forge(&cli);
    settle::settle(&stack).await;
    replaying::to_a_consumer(&cli);
    replaying::many_events_are_confirmed(&cli);
    replaying::what_makes_no_sense(&cli, &Cli::of(&stack, &side.customer));
    replaying::pause_resume_cancel(&cli);
    replaying::to_browsers(&cli, &order);
    dead_letters::settle(&cli, &stack).await;
    models::republish(&cli);
    reading::operations(&cli);
    moving::a_closed_pipe_is_no_error(&cli);
    let exported = moving::export(&cli);
    models::verify_rebuild_roll_back(&cli, &stack).await;
    drop(stack);

    let stack = Stack::start("events::an_empty_system").await;
    let admin = people::admin(&stack, "operator").await;
    let cli = Cli::of(&stack, &admin);
    moving::import_into_an_empty_system(&cli, &exported);
    moving::imports_are_recorded(&cli, &exported).await;
}
