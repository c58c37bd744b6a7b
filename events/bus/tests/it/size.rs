//! The size of a service's database.

use tiffin_bus::{
    Outgoing,
    history::{Answer, Command},
    outbox, size,
};
use tiffin_chassis::telemetry;
use tiffin_events::Clock;
use time::Duration;

use crate::bench::{Bench, eventually};

#[tokio::test]
async fn an_outbox_says_its_rows_those_of_the_week_and_its_bytes() {
    let bench = Bench::new().await;
    let empty = size::of(bench.pool()).await.unwrap();
    assert_eq!((empty.outbox_rows, empty.outbox_rows_of_week), (0, 0));

    let long_ago = Clock::manual(bench.clock.now() - Duration::days(8));
    let mut tx = tiffin_database::begin(bench.pool()).await.unwrap();
    let old: Vec<Outgoing> = (0..2)
        .map(|at| {
            Outgoing::entry(&long_ago, &format!("order.{at}"), long_ago.new_id(), &at).unwrap()
        })
        .collect();
    outbox::append(&mut tx, &old).await.unwrap();
    tx.commit().await.unwrap();
    let driver = bench.clock.new_id();
    for sequence in 1..=3 {
        bench.change(driver, sequence).await;
    }
    eventually("PostgreSQL has counted all rows", async || {
        size::of(bench.pool()).await.unwrap().outbox_rows == 5
    })
    .await;
    let measured = size::of(bench.pool()).await.unwrap();
    assert_eq!(measured.outbox_rows_of_week, 3);
    assert_eq!(measured.outbox_week_seconds, 7 * 24 * 60 * 60);
    let (bytes, all): (i64, i64) = sqlx::query_as(
        "select pg_total_relation_size('bus.outbox'), pg_database_size(current_database())",
    )
    .fetch_one(bench.pool())
    .await
    .unwrap();
    assert_eq!(measured.outbox_bytes, bytes);
    assert!(bytes > empty.outbox_bytes, "{bytes} is no more than before");
    assert_eq!(measured.outbox_bytes + measured.other_bytes, all);
}

#[tokio::test]
async fn a_service_describes_the_size_of_its_database_and_reports_its_outbox() {
    let metrics = telemetry::metrics();
    let bench = Bench::new().await;
    bench.change(bench.clock.new_id(), 1).await;
    bench.relay();
    bench.control();
    let Answer::Service(description) = bench.ask(&Command::Describe).await else {
        panic!("it does not describe itself");
    };
    let described = description.size.unwrap();
    assert_eq!(
        (described.outbox_rows, described.outbox_rows_of_week),
        (1, 1)
    );
    eventually("the bytes are reported", async || {
        let name = r#"tiffin_outbox_bytes{service="bench"} "#;
        let text = metrics.render();
        let bytes = text.lines().find_map(|line| line.strip_prefix(name));
        bytes.is_some_and(|bytes| bytes.parse::<f64>().unwrap() > 0.0)
    })
    .await;
}
