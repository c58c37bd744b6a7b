//! A process that is killed (SIGKILL) while a month leaves the event log: every event is found once, whether the log or
//! the archive answers for it.

use std::{
    collections::HashSet,
    process::{Command, Stdio},
    time::Duration,
};

use tiffin_archive::Archive;
use tiffin_bus::Broker;
use tiffin_events::Clock;
use tiffin_operator::{State, keep_window};
use tiffin_testkit::verifier;
use tokio_util::sync::CancellationToken;

use crate::{fixture::Fixture, moved};

/// The places where the process is killed; the last kill of a round comes at a random moment.
const PLACES: [Option<&str>; 4] = [
    Some("log.before_hand_over"),
    Some("log.before_detach"),
    Some("log.before_drop"),
    None,
];

/// Not a test by itself: the process that the next one starts and kills.
#[tokio::test]
#[ignore = "started and killed by another test"]
async fn the_process_that_is_killed() {
    let of = |name: &str| std::env::var(name).unwrap();
    let pool = sqlx::PgPool::connect(&of("DATABASE_URL")).await.unwrap();
    let archive = Archive::folder(of("TIFFIN_ARCHIVE").into());
    let broker = Broker::connect(&of("NATS_URL"), "operator").await.unwrap();
    let clock = Clock::manual(moved::month_after(Clock::system().now()));
    let state = State::new(
        pool,
        broker.with_archive(Some(archive)),
        verifier(&clock),
        clock,
        CancellationToken::new(),
    );
    loop {
        // Another process may be at it.
        keep_window(&state).await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Starts the process in the next month, and kills it at a place or at a random moment.
async fn kill_at(fixture: &Fixture, place: Option<&str>) {
    let mut process = Command::new(std::env::current_exe().unwrap());
    process
        .args([
            "--exact",
            "months_killed::the_process_that_is_killed",
            "--ignored",
        ])
        .env("DATABASE_URL", &fixture.db.url)
        .env("NATS_URL", fixture.nats.url())
        .env("TIFFIN_ARCHIVE", fixture.archive.path())
        .stdout(Stdio::null());
    tiffin_testkit::kill_at(&mut process, place, 50..600).await;
}

/// Every event of so many orders is found once.
async fn assert_whole(fixture: &Fixture, orders: usize) {
    let found = moved::pages(fixture, "/events?stream=ORDERS&limit=500").await;
    let places: HashSet<i64> = found.iter().map(|it| it["seq"].as_i64().unwrap()).collect();
    assert_eq!((found.len(), places.len()), (2 * orders, 2 * orders));
}

#[tokio::test]
async fn killed_while_a_month_leaves_the_log_finds_every_event_once() {
    let rounds = std::env::var("TIFFIN_KILLS").map_or(2, |kills| kills.parse().unwrap());
    let fixture = Fixture::new().await;
    let mut orders = 0;
    for _ in 0..rounds {
        for place in PLACES {
            moved::publish_order(&fixture, orders).await;
            orders += 1;
            moved::archive_all(&fixture).await;
            assert_whole(&fixture, orders).await;
            kill_at(&fixture, place).await;
            assert_whole(&fixture, orders).await;
        }
    }
    moved::let_go(&fixture).await;
    assert_eq!(moved::rows(&fixture).await, 0);
    assert_whole(&fixture, orders).await;
    fixture.end().await;
}
