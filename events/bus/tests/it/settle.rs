//! Dead letters: what waits behind one, and how it is settled.

use tiffin_bus::history::{Answer, Command};
use tiffin_events::Stream;
use uuid::Uuid;

use crate::{
    bench::{Bench, Tally, eventually},
    consumer::{at, body, dead_letters},
};

/// The consumer that every test here is about.
const CONSUMER: &str = "bench_DRIVERS";

/// An event that no handler can take.
fn poison(bench: &Bench, driver: Uuid, sequence: i64) -> Vec<u8> {
    let mut event: serde_json::Value =
        serde_json::from_slice(&body(bench, driver, sequence)).unwrap();
    event["data"] = serde_json::json!({ "poison": true });
    serde_json::to_vec(&event).unwrap()
}

/// The number of parked events.
async fn parked(bench: &Bench) -> i64 {
    sqlx::query_scalar("select count(*) from bus.parked")
        .fetch_one(bench.pool())
        .await
        .unwrap()
}

#[tokio::test]
async fn poison_in_the_middle_of_ten_thousand_stops_its_own_aggregate_until_it_is_mended() {
    let bench = Bench::new().await;
    let drivers: Vec<Uuid> = (0..100).map(|_| bench.clock.new_id()).collect();
    let ill = drivers[50];
    for sequence in 1..=100 {
        for driver in &drivers {
            let event = if *driver == ill && sequence == 50 {
                poison(&bench, ill, 50)
            } else {
                body(&bench, *driver, sequence)
            };
            drop(
                bench
                    .broker
                    .jetstream
                    .publish(at(*driver), event.into())
                    .await
                    .unwrap(),
            );
        }
    }
    eventually("all are stored", async || {
        bench.stored(Stream::Drivers).await == 10_000
    })
    .await;
    bench.consume(Tally::default());
    bench.control();
    eventually("everyone else is through", async || {
        bench.effects().await == 9_949 && parked(&bench).await == 50
    })
    .await;
    assert_eq!(bench.tally(ill).await, (1..50).collect::<Vec<_>>());

    let letters = dead_letters(&bench, 1).await;
    assert_eq!(letters[0].reason, "it is poison");
    // A new event takes the place of the one that can't be read.
    bench.publish(at(ill), body(&bench, ill, 50)).await;
    eventually("what waited is through too", async || {
        bench.effects().await == 10_000
    })
    .await;
    for driver in drivers {
        assert_eq!(bench.tally(driver).await, (1..=100).collect::<Vec<_>>());
    }
    assert_eq!(parked(&bench).await, 0);
    assert_eq!(bench.stored(Stream::DeadLetters).await, 1);
    // The read model is that of a run without the poison.
    let standing: Vec<i64> = sqlx::query_scalar("select sequence from standing")
        .fetch_all(bench.pool())
        .await
        .unwrap();
    assert_eq!(standing, vec![100; 100]);
    bench.end().await;
}

#[tokio::test]
async fn a_dead_letter_that_is_tried_again_takes_effect_and_what_waits_follows() {
    let bench = Bench::new().await;
    let driver = bench.clock.new_id();
    for sequence in 1..=4 {
        bench
            .publish(at(driver), body(&bench, driver, sequence))
            .await;
    }
    let ill = bench.consume(Tally {
        poison: Some(driver),
        ..Tally::default()
    });
    eventually("three wait", async || parked(&bench).await == 3).await;
    ill.cancel();
    bench.control();
    let sequence = dead_letters(&bench, 1).await[0].stream_sequence;
    let retry = |stream_sequence| Command::Retry {
        consumer: CONSUMER.to_owned(),
        stream_sequence,
    };
    let early = bench.ask(&retry(sequence + 1)).await;
    assert!(
        matches!(&early, Answer::Refused { message } if message.contains("comes first")),
        "{early:?}"
    );
    let again = bench.ask(&retry(sequence)).await;
    assert!(matches!(again, Answer::Done { .. }), "{again:?}");
    assert_eq!(bench.tally(driver).await, [1, 2, 3, 4]);
    assert_eq!(parked(&bench).await, 0);
    bench.end().await;
}

#[tokio::test]
async fn a_discarded_dead_letter_is_passed_over_and_what_waits_goes_on() {
    let bench = Bench::new().await;
    let (driver, rubbish) = (bench.clock.new_id(), bench.clock.new_id());
    for event in [
        body(&bench, driver, 1),
        poison(&bench, driver, 2),
        body(&bench, driver, 3),
    ] {
        bench.publish(at(driver), event).await;
    }
    for event in [
        body(&bench, rubbish, 1),
        b"{".to_vec(),
        body(&bench, rubbish, 3),
    ] {
        bench.publish(at(rubbish), event).await;
    }
    bench.consume(Tally::default());
    bench.control();
    eventually("both wait", async || parked(&bench).await == 2).await;
    for letter in dead_letters(&bench, 2).await {
        let discard = Command::Discard {
            consumer: CONSUMER.to_owned(),
            stream_sequence: letter.stream_sequence,
        };
        let done = bench.ask(&discard).await;
        assert!(matches!(done, Answer::Done { .. }), "{done:?}");
    }
    assert_eq!(bench.tally(driver).await, [1, 3]);
    assert_eq!(bench.tally(rubbish).await, [1, 3]);
    bench.end().await;
}

#[tokio::test]
async fn what_a_killed_process_left_parked_goes_on() {
    let bench = Bench::new().await;
    let driver = bench.clock.new_id();
    for sequence in 1..=3 {
        bench
            .publish(at(driver), body(&bench, driver, sequence))
            .await;
    }
    let ill = bench.consume(Tally {
        poison: Some(driver),
        ..Tally::default()
    });
    eventually("two wait", async || parked(&bench).await == 2).await;
    ill.cancel();
    // Killed between settling the first and going on: the block is gone, the events are still parked.
    sqlx::query("delete from bus.blocked")
        .execute(bench.pool())
        .await
        .unwrap();
    sqlx::query("insert into bus.reached values ('bench_DRIVERS', $1, 1)")
        .bind(driver)
        .execute(bench.pool())
        .await
        .unwrap();
    bench.control();
    eventually("both went on", async || bench.tally(driver).await == [2, 3]).await;
    bench.end().await;
}
