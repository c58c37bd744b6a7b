//! `tiffin events` as an operator uses it: the real binary against a running platform.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

#[expect(dead_code, reason = "the platform's own tests use the rest")]
#[path = "../platform/accounts.rs"]
mod accounts;
mod cli;
mod dead_letters;
mod export_import;
mod models;
mod offline;
mod reading;
mod replaying;
#[expect(dead_code, reason = "the platform's own tests use the rest")]
#[path = "../platform/restaurant_fixture.rs"]
mod restaurant_fixture;
#[path = "../platform/settle.rs"]
mod settle;
mod sign_in;
#[expect(dead_code, reason = "the platform's own tests use the rest")]
#[path = "../platform/stack.rs"]
mod stack;
mod terminal;

use crate::{cli::Cli, restaurant_fixture::RestaurantFixture, stack::Stack};

/// One platform for most of it: starting one is what takes longest.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_verb_does_what_it_says_on_a_running_platform() {
    let stack = Stack::start("events::every_verb").await;
    let admin = accounts::admin(&stack, "operator").await;
    let fixture = RestaurantFixture::new(&stack, &admin, "cli-").await;
    let (order, _) = fixture.delivery(&stack).await;
    settle::settle(&stack).await;

    sign_in::sign_in_and_out(&stack, &admin, &fixture.customer);
    sign_in::with_an_app(&stack).await;
    let cli = Cli::of(&stack, &admin);
    reading::streams(&cli);
    reading::capacity(&cli);
    reading::search(&cli, &order);
    reading::show(&cli);
    reading::timeline(&cli, &order).await;
    export_import::publish_many(&stack).await;
    export_import::refused_imports(&cli);
    settle::settle(&stack).await;
    replaying::to_a_consumer(&cli);
    replaying::many_events_are_confirmed(&cli);
    replaying::what_makes_no_sense(&cli, &Cli::of(&stack, &fixture.customer));
    replaying::pause_resume_cancel(&cli);
    replaying::to_browsers(&cli, &order);
    dead_letters::settle(&cli, &stack).await;
    models::republish(&cli);
    reading::operations(&cli);
    export_import::a_closed_pipe_is_no_error(&cli);
    let exported = export_import::export(&cli);
    models::verify_rebuild_roll_back(&cli, &stack).await;
    models::archive(&cli);
    drop(stack);

    let stack = Stack::start("events::an_empty_system").await;
    let admin = accounts::admin(&stack, "operator").await;
    let cli = Cli::of(&stack, &admin);
    export_import::import_into_an_empty_system(&cli, &exported);
    export_import::imports_are_recorded(&cli, &exported).await;
}
