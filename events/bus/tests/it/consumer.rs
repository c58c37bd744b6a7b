use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use futures_util::StreamExt;
use tiffin_bus::{DeadLetter, Received};
use tiffin_events::{Envelope, Stream, subject};
use uuid::Uuid;

use crate::bench::{Bench, Tally, consumer, eventually};

/// The body of an event as the relay would publish it.
pub fn body(bench: &Bench, driver: Uuid, sequence: i64) -> Vec<u8> {
    let envelope = Envelope::of(
        &bench.clock,
        "driver",
        "tiffin.driver.available.v1",
        driver,
        sequence,
        "tiffin/bench".to_owned(),
        serde_json::json!({ "driverId": driver }),
    );
    serde_json::to_vec(&envelope).unwrap()
}

pub fn at(driver: Uuid) -> String {
    subject::event("driver", driver, "available")
}

pub async fn dead_letters(bench: &Bench, count: usize) -> Vec<DeadLetter> {
    let stream = bench
        .broker
        .jetstream
        .get_stream(Stream::DeadLetters.name())
        .await
        .unwrap();
    let config = async_nats::jetstream::consumer::pull::OrderedConfig::default();
    let messages = stream
        .create_consumer(config)
        .await
        .unwrap()
        .messages()
        .await
        .unwrap();
    let read = messages
        .take(count)
        .map(|message| serde_json::from_slice(&message.unwrap().payload).unwrap())
        .collect();
    tokio::time::timeout(Duration::from_mins(1), read)
        .await
        .unwrap()
}

#[tokio::test]
async fn an_event_delivered_twice_takes_effect_once() {
    let bench = Bench::new().await;
    let driver = bench.clock.new_id();
    let event = body(&bench, driver, 1);
    bench.publish(at(driver), event.clone()).await;
    bench.publish(at(driver), event).await;
    bench.publish(at(driver), body(&bench, driver, 2)).await;
    bench.consume(Tally::default());
    eventually("both events took effect", async || {
        bench.effects().await >= 2
    })
    .await;
    assert_eq!(bench.stored(Stream::Drivers).await, 3);
    assert_eq!(bench.tally(driver).await, [1, 2]);
    bench.end().await;
}

#[tokio::test]
async fn an_event_handed_over_twice_at_once_takes_effect_once() {
    let bench = Bench::new().await;
    let consumer = consumer(bench.pool(), Tally::default());
    for _ in 0..20 {
        let driver = bench.clock.new_id();
        for sequence in 1..=2 {
            let envelope = serde_json::from_slice(&body(&bench, driver, sequence)).unwrap();
            let event = Received::new(&envelope, 1).unwrap();
            let (one, other) = tokio::join!(consumer.deliver(&event), consumer.deliver(&event));
            assert_ne!(one.unwrap(), other.unwrap());
        }
        assert_eq!(bench.tally(driver).await, [1, 2]);
    }
    bench.end().await;
}

#[tokio::test]
async fn versions_that_arrive_out_of_order_take_effect_in_order() {
    let bench = Bench::new().await;
    let driver = bench.clock.new_id();
    for sequence in [1, 4, 3, 2, 5] {
        bench
            .publish(at(driver), body(&bench, driver, sequence))
            .await;
    }
    bench.consume(Tally::default());
    eventually("all took effect", async || bench.effects().await == 5).await;
    assert_eq!(bench.tally(driver).await, [1, 2, 3, 4, 5]);
    bench.end().await;
}

#[tokio::test]
async fn a_version_older_than_the_last_changes_nothing() {
    let bench = Bench::new().await;
    let (driver, other) = (bench.clock.new_id(), bench.clock.new_id());
    for sequence in [1, 2, 1] {
        bench
            .publish(at(driver), body(&bench, driver, sequence))
            .await;
    }
    bench.publish(at(other), body(&bench, other, 1)).await;
    bench.consume(Tally::default());
    eventually("all took effect", async || bench.effects().await >= 3).await;
    assert_eq!(bench.tally(driver).await, [1, 2]);
    bench.end().await;
}

#[tokio::test]
async fn an_aggregate_whose_first_events_are_purged_goes_on_with_what_is_left() {
    let bench = Bench::new().await;
    let driver = bench.clock.new_id();
    bench.publish(at(driver), body(&bench, driver, 7)).await;
    bench.consume(Tally::default());
    eventually("it took effect", async || bench.effects().await == 1).await;
    assert_eq!(bench.tally(driver).await, [7]);
    bench.end().await;
}

#[tokio::test]
async fn poison_goes_to_the_dead_letters_and_everyone_else_goes_on() {
    let bench = Bench::new().await;
    let (poison, other) = (bench.clock.new_id(), bench.clock.new_id());
    let rubbish = bench.clock.new_id();
    bench
        .publish(at(rubbish), b"{ this is no event".to_vec())
        .await;
    bench.publish(at(poison), body(&bench, poison, 1)).await;
    bench.publish(at(other), body(&bench, other, 1)).await;
    bench.consume(Tally {
        poison: Some(poison),
        ..Tally::default()
    });
    let mut letters = dead_letters(&bench, 2).await;
    letters.sort_by_key(|letter| letter.stream_sequence);
    assert!(
        letters[0].reason.starts_with("malformed"),
        "{}",
        letters[0].reason
    );
    assert_eq!(letters[0].body, "{ this is no event");
    assert_eq!(letters[1].reason, "it is poison");
    assert_eq!(
        (letters[1].consumer.as_str(), letters[1].stream.as_str()),
        ("bench_DRIVERS", "DRIVERS")
    );
    eventually("the other took effect", async || {
        bench.tally(other).await == [1]
    })
    .await;
    assert_eq!(bench.tally(poison).await, Vec::<i64>::new());
    bench.end().await;
}

#[tokio::test]
async fn what_fails_is_tried_again_and_its_aggregate_waits_for_it() {
    let bench = Bench::new().await;
    let driver = bench.clock.new_id();
    bench.publish(at(driver), body(&bench, driver, 1)).await;
    bench.publish(at(driver), body(&bench, driver, 2)).await;
    bench.consume(Tally {
        poison: Some(driver),
        failures: Some(Arc::new(AtomicU32::new(2))),
        ..Tally::default()
    });
    eventually("both took effect", async || bench.effects().await == 2).await;
    assert_eq!(bench.tally(driver).await, [1, 2]);
    assert_eq!(bench.stored(Stream::DeadLetters).await, 0);
    bench.end().await;
}

#[tokio::test]
async fn a_consumer_that_stops_and_starts_again_misses_and_doubles_nothing() {
    let bench = Bench::new().await;
    bench.relay();
    let driver = bench.clock.new_id();
    let mut consumer = bench.consume(Tally::default());
    for sequence in 1..=200 {
        bench.change(driver, sequence).await;
        if sequence % 50 == 0 {
            consumer.cancel();
            consumer = bench.consume(Tally::default());
        }
    }
    eventually("all took effect", async || bench.effects().await == 200).await;
    assert_eq!(bench.tally(driver).await, (1..=200).collect::<Vec<_>>());
    bench.end().await;
}

/// The number of blocked aggregates, and of those that are tried again without an operator.
async fn blocked(bench: &Bench) -> (i64, i64) {
    sqlx::query_as("select count(*), count(retry_at) from bus.blocked")
        .fetch_one(bench.pool())
        .await
        .unwrap()
}

#[tokio::test]
async fn six_hundred_aggregates_that_fail_hold_up_no_other_and_go_on_once_they_can() {
    let bench = Bench::new().await;
    let healthy = bench.clock.new_id();
    let fails = Arc::new(AtomicBool::new(true));
    // More than the broker delivers without acknowledgements.
    for _ in 0..600 {
        let driver = bench.clock.new_id();
        bench.publish(at(driver), body(&bench, driver, 1)).await;
    }
    bench.publish(at(healthy), body(&bench, healthy, 1)).await;
    bench.consume(Tally {
        only: Some((healthy, fails.clone())),
        ..Tally::default()
    });
    eventually("the healthy one took effect", async || {
        bench.tally(healthy).await == [1]
    })
    .await;
    eventually("the others left the broker", async || {
        blocked(&bench).await == (600, 600)
    })
    .await;
    fails.store(false, Ordering::SeqCst);
    eventually("the others took effect", async || {
        bench.effects().await == 601
    })
    .await;
    assert_eq!(blocked(&bench).await, (0, 0));
    assert_eq!(bench.stored(Stream::DeadLetters).await, 0);
    bench.end().await;
}

#[tokio::test]
async fn a_handler_that_panics_fails_its_own_event_and_its_consumer_goes_on() {
    let bench = Bench::new().await;
    let (ill, other) = (bench.clock.new_id(), bench.clock.new_id());
    let panics = Arc::new(AtomicBool::new(true));
    bench.publish(at(ill), body(&bench, ill, 1)).await;
    bench.publish(at(ill), body(&bench, ill, 2)).await;
    bench.publish(at(other), body(&bench, other, 1)).await;
    bench.consume(Tally {
        panics: Some((ill, panics.clone())),
        ..Tally::default()
    });
    eventually("the other took effect", async || {
        bench.tally(other).await == [1]
    })
    .await;
    eventually("the first waits for its next try", async || {
        blocked(&bench).await == (1, 1)
    })
    .await;
    let reason: String = sqlx::query_scalar("select reason from bus.blocked")
        .fetch_one(bench.pool())
        .await
        .unwrap();
    assert_eq!(reason, "the handler panicked: the handler has a fault");
    panics.store(false, Ordering::SeqCst);
    eventually("both took effect", async || {
        bench.tally(ill).await == [1, 2]
    })
    .await;
    bench.end().await;
}

/// One of each class, as PostgreSQL's appendix of error codes has them.
const OUTAGES: [&str; 9] = [
    "08006", "25006", "40001", "40P01", "42703", "42P01", "53100", "55P03", "58030",
];

#[tokio::test]
async fn a_refusal_that_the_database_is_to_blame_for_puts_no_event_aside() {
    let bench = Bench::new().await;
    sqlx::raw_sql(
        "create table put_aside (reason text);
         create function note() returns trigger language plpgsql as
             $$ begin insert into put_aside values (new.reason); return new; end $$;
         create trigger note before insert on bus.blocked for each row execute function note()",
    )
    .execute(bench.pool())
    .await
    .unwrap();
    let mut refused = Vec::new();
    for code in OUTAGES {
        let driver = bench.clock.new_id();
        bench.publish(at(driver), body(&bench, driver, 1)).await;
        // An event is put aside after its second failure.
        refused.push((driver, code, Arc::new(AtomicU32::new(3))));
    }
    bench.consume(Tally {
        refused: refused.clone(),
        ..Tally::default()
    });
    for (driver, code, left) in refused {
        eventually(code, async || bench.tally(driver).await == [1]).await;
        assert_eq!(left.load(Ordering::SeqCst), 0, "{code}");
    }
    let put_aside: Vec<String> = sqlx::query_scalar("select reason from put_aside")
        .fetch_all(bench.pool())
        .await
        .unwrap();
    assert_eq!(put_aside, [""; 0]);
    bench.end().await;
}

#[tokio::test]
async fn an_event_of_a_newer_type_waits_with_its_successors_for_a_process_that_knows_it() {
    let bench = Bench::new().await;
    let (driver, other) = (bench.clock.new_id(), bench.clock.new_id());
    let mut newer: serde_json::Value = serde_json::from_slice(&body(&bench, driver, 1)).unwrap();
    newer["type"] = serde_json::json!("tiffin.driver.available.v2");
    bench
        .publish(at(driver), serde_json::to_vec(&newer).unwrap())
        .await;
    bench.publish(at(driver), body(&bench, driver, 2)).await;
    bench.publish(at(other), body(&bench, other, 1)).await;
    let old = bench.consume(Tally::default());
    eventually("the other took effect", async || {
        bench.tally(other).await == [1]
    })
    .await;
    eventually("the newer one waits", async || {
        blocked(&bench).await == (1, 1)
    })
    .await;
    assert_eq!(bench.tally(driver).await, Vec::<i64>::new());
    assert_eq!(bench.stored(Stream::DeadLetters).await, 0);
    old.cancel();
    bench.consume_as(consumer(bench.pool(), Tally::default()).knowing(|_| true));
    eventually("both took effect", async || {
        bench.tally(driver).await == [1, 2]
    })
    .await;
    bench.end().await;
}
