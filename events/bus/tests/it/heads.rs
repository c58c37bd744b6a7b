//! A database or a broker that was put back to an earlier moment.

use std::time::Duration;

use async_nats::jetstream::stream::Config;
use serde_json::Value;
use tiffin_bus::{
    heads,
    history::{Answer, Command, OperationState},
};
use tiffin_chassis::telemetry;
use tiffin_events::Stream;
use uuid::Uuid;

use crate::{
    bench::{Bench, Tally, eventually},
    caps::config_of,
    consumer::{at, body, dead_letters},
    control::ended,
};

async fn run(bench: &Bench, sql: &str) {
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned()))
        .execute(bench.pool())
        .await
        .unwrap();
}

/// Puts the database back to an earlier moment: without the rows after `kept`.
async fn put_back(bench: &Bench, kept: i64) {
    run(
        bench,
        &format!(
            "delete from bus.outbox where id > {kept};
             update bus.heads set stream_sequence =
                 (select coalesce(max(stream_sequence), 0) from bus.outbox)"
        ),
    )
    .await;
}

async fn last_row(bench: &Bench) -> i64 {
    sqlx::query_scalar("select max(id) from bus.outbox")
        .fetch_one(bench.pool())
        .await
        .unwrap()
}

#[tokio::test]
async fn a_restored_database_stops_both_sides_until_an_operator_accepts_it() {
    let bench = Bench::new().await;
    let consumer = bench.consume(Tally::default());
    let relay = bench.relay();
    let (driver, other) = (bench.clock.new_id(), bench.clock.new_id());
    bench.change(driver, 1).await;
    let kept = last_row(&bench).await;
    bench.change(driver, 2).await;
    eventually("both took effect", async || bench.effects().await == 2).await;
    eventually("they are marked", async || bench.waiting().await == 0).await;
    relay.cancel();

    // Sequence 2 is lost, and another event takes it.
    put_back(&bench, kept).await;
    bench.change(driver, 2).await;
    bench.change(other, 1).await;
    bench.relay();
    eventually("it is noticed", async || {
        heads::trouble(bench.pool()).await.unwrap().is_some()
    })
    .await;
    let trouble = heads::trouble(bench.pool()).await.unwrap().unwrap();
    assert!(trouble.contains("DRIVERS holds events"), "{trouble}");
    assert_eq!(bench.waiting().await, 2, "nothing goes on in silence");
    assert_eq!(bench.stored(Stream::Drivers).await, 2);
    let metrics = telemetry::metrics().render();
    let stopped = r#"tiffin_relay_stopped{service="bench",stream="DRIVERS"}"#;
    assert!(metrics.contains(stopped), "{metrics}");

    // An operator takes it as it is: what contradicts is put aside, with all that follows it.
    assert_eq!(heads::accept(bench.pool()).await.unwrap(), ["DRIVERS"]);
    bench.change(driver, 3).await;
    let letters = dead_letters(&bench, 1).await;
    assert!(
        letters[0].reason.starts_with("conflict: sequence 2"),
        "{}",
        letters[0].reason
    );
    eventually("others go on, and it waits", async || {
        let parked: i64 = sqlx::query_scalar("select count(*) from bus.parked")
            .fetch_one(bench.pool())
            .await
            .unwrap();
        bench.effects().await == 3 && parked == 1
    })
    .await;
    assert_eq!(bench.tally(driver).await, [1, 2]);
    assert_eq!(bench.tally(other).await, [1]);
    let metrics = telemetry::metrics().render();
    let conflicts = r#"tiffin_conflicts_total{consumer="bench_DRIVERS"}"#;
    assert!(metrics.contains(conflicts), "{metrics}");

    // Settled: what took effect first stays, and what follows goes on.
    bench.control();
    let discard = Command::Discard {
        consumer: "bench_DRIVERS".to_owned(),
        stream_sequence: letters[0].stream_sequence,
    };
    let answer = bench.ask(&discard).await;
    assert!(matches!(answer, Answer::Done { .. }), "{answer:?}");
    eventually("it goes on", async || {
        bench.tally(driver).await == [1, 2, 3]
    })
    .await;
    consumer.cancel();
    bench.end().await;
}

#[tokio::test]
async fn a_stream_that_grows_behind_a_relays_back_stops_it_at_the_next_event() {
    let bench = Bench::new().await;
    bench.relay();
    let driver = bench.clock.new_id();
    bench.change(driver, 1).await;
    eventually("it is marked", async || bench.waiting().await == 0).await;
    // A process on another state of the database.
    bench.publish(at(driver), body(&bench, driver, 2)).await;
    bench.change(driver, 2).await;
    eventually("it is noticed", async || {
        heads::trouble(bench.pool()).await.unwrap().is_some()
    })
    .await;
    assert_eq!(bench.stored(Stream::Drivers).await, 2);
    assert_eq!(bench.waiting().await, 1);
    bench.end().await;
}

#[tokio::test]
async fn a_stream_that_was_put_back_is_noticed_and_gets_what_it_lost() {
    let bench = Bench::new().await;
    let relay = bench.relay();
    let driver = bench.clock.new_id();
    for version in 1..=3 {
        bench.change(driver, version).await;
    }
    eventually("they are marked", async || bench.waiting().await == 0).await;
    relay.cancel();
    let jetstream = &bench.broker.jetstream;
    jetstream
        .delete_stream(Stream::Drivers.name())
        .await
        .unwrap();
    bench.broker.prepare().await.unwrap();
    bench.publish(at(driver), body(&bench, driver, 1)).await;
    // The relay compares when it starts. No new event is needed to notice.
    bench.relay();
    eventually("it is noticed", async || {
        heads::trouble(bench.pool()).await.unwrap().is_some()
    })
    .await;
    bench.change(driver, 4).await;
    let trouble = heads::trouble(bench.pool()).await.unwrap().unwrap();
    assert!(trouble.contains("ends at 1"), "{trouble}");
    assert_eq!(bench.waiting().await, 1);

    bench.control();
    let id = bench.clock.new_id();
    bench.ask(&Command::Republish { id }).await;
    assert_eq!(ended(&bench, id).await.state, OperationState::Done);
    eventually("it goes on", async || bench.waiting().await == 0).await;
    assert_eq!(bench.stored(Stream::Drivers).await, 5);
    assert_eq!(heads::trouble(bench.pool()).await.unwrap(), None);
    bench.end().await;
}

/// A bench whose relay has published an event of each of five drivers, and has ended.
async fn published() -> (Bench, Vec<Uuid>) {
    let bench = Bench::new().await;
    let relay = bench.relay();
    let drivers: Vec<_> = (0..5).map(|_| bench.clock.new_id()).collect();
    for driver in &drivers {
        bench.change(*driver, 1).await;
    }
    eventually("they are marked", async || bench.waiting().await == 0).await;
    relay.cancel();
    (bench, drivers)
}

#[tokio::test]
async fn what_was_published_and_never_marked_is_found_again_and_not_published_twice() {
    let (bench, drivers) = published().await;
    // A crash between the broker's answer and the mark, longer ago than the broker knows ids by.
    let forgetful = Config {
        duplicate_window: Duration::from_millis(100),
        ..config_of(&bench.broker, Stream::Drivers.name()).await
    };
    let jetstream = &bench.broker.jetstream;
    jetstream.update_stream(forgetful).await.unwrap();
    tokio::time::sleep(Duration::from_millis(500)).await;
    run(
        &bench,
        "update bus.outbox set published_at = null, stream_sequence = null where id > 2;
         update bus.heads set stream_sequence = 2",
    )
    .await;
    bench.change(drivers[0], 2).await;
    bench.relay();
    eventually("all are marked", async || bench.waiting().await == 0).await;
    assert_eq!(bench.stored(Stream::Drivers).await, 6);
    let sequences: Vec<i64> =
        sqlx::query_scalar("select stream_sequence from bus.outbox order by id")
            .fetch_all(bench.pool())
            .await
            .unwrap();
    assert_eq!(sequences, [1, 2, 3, 4, 5, 6]);
    bench.end().await;
}

#[tokio::test]
async fn an_outbox_and_a_stream_of_an_earlier_release_go_on() {
    let (bench, drivers) = published().await;
    // It noted no heads, and ended between the broker's answer and a mark.
    run(
        &bench,
        "delete from bus.heads;
         update bus.outbox set published_at = null, stream_sequence = null where id = 5",
    )
    .await;
    bench.change(drivers[0], 2).await;
    bench.relay();
    eventually("all are marked", async || bench.waiting().await == 0).await;
    assert_eq!(heads::trouble(bench.pool()).await.unwrap(), None);
    assert_eq!(bench.stored(Stream::Drivers).await, 6);
    bench.end().await;
}

#[tokio::test]
async fn another_event_of_a_version_that_took_effect_is_a_conflict_and_one_that_puts_it_right_is_none()
 {
    let bench = Bench::new().await;
    let (driver, other) = (bench.clock.new_id(), bench.clock.new_id());
    let first = body(&bench, driver, 1);
    let event: Value = serde_json::from_slice(&first).unwrap();
    bench.publish(at(driver), first.clone()).await;
    // Itself once more, and one that names it as what it puts right.
    bench.publish(at(driver), first).await;
    let mut mended: Value = serde_json::from_slice(&body(&bench, driver, 1)).unwrap();
    mended["causationid"] = event["id"].clone();
    bench.publish(at(driver), mended.to_string().into()).await;
    bench.publish(at(driver), body(&bench, driver, 1)).await;
    bench.publish(at(other), body(&bench, other, 1)).await;
    bench.consume(Tally::default());
    let letters = dead_letters(&bench, 1).await;
    assert_eq!(letters[0].stream_sequence, 4);
    eventually("the other goes on", async || bench.effects().await == 2).await;
    assert_eq!(bench.stored(Stream::DeadLetters).await, 1);
    bench.end().await;
}
