//! The base of tests of Tiffin's services: real servers, a test application, tokens, the committed samples of
//! events, a live socket. PostgreSQL and NATS are real in tests.
//!
//! A failure in here panics with its reason, which fails the test.

#![expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a failure in here is the failure of the test that called"
)]

mod app;
mod authenticator;
mod db;
mod described;
mod duckdb;
mod escpos;
mod history;
pub mod inputs;
mod keys;
mod kill;
mod limits;
mod live;
mod mails;
mod nats;
mod outbox;
mod personal;
mod personal_keys;
mod printer;
mod router;
mod s3;
mod samples;
mod stripe;
mod web_app;
mod wheel;

use std::path::PathBuf;

pub use app::{Answer, Call, TestApp};
pub use authenticator::authenticator;
pub use db::TestDb;
pub use duckdb::duckdb;
pub use escpos::escpos_ticket;
pub use history::History;
pub use keys::{TokenBuilder, jwks, token, verifier};
pub use kill::kill_at;
pub use limits::exhaust_limit;
pub use live::{Closed, LiveClient};
pub use mails::mails_in;
pub use nats::TestNats;
pub use outbox::{AudienceEntry, OutboxRow, drain_entries, drain_outbox, drain_rows, drain_sealed};
pub use personal::{assert_every_table_is_listed, copy_of, tables_with};
pub use personal_keys::{TestKeys, recorder};
pub use printer::{Behaviour, TestPrinter};
pub use router::{TestRouter, helsinki};
pub use s3::TestS3;
pub use samples::{feed_samples, histories, sample, samples};
pub use stripe::{StripeIntent, TestStripe};
pub use web_app::web_app;

/// The folder that keeps fetched server binaries between test runs.
fn packages() -> PathBuf {
    let home = std::env::var_os("TIFFIN_HOME").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../.tiffin"),
        PathBuf::from,
    );
    home.join("servers")
}

/// Says what a server is doing; shown with a failing test's output.
fn report(line: &str) {
    eprintln!("{line}");
}
