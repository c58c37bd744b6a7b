//! Streams rebuilt from the outbox.

use tiffin_bus::history::{Answer, Command, OperationState};
use tiffin_events::Stream;

use crate::{
    bench::{Bench, Tally, eventually},
    control::ended,
};

/// The ids of a stream's events, in order.
async fn ids(bench: &Bench) -> Vec<String> {
    use futures_util::StreamExt;
    let stream = bench
        .broker
        .jetstream
        .get_stream(Stream::Drivers.name())
        .await
        .unwrap();
    let count = bench.stored(Stream::Drivers).await;
    let config = async_nats::jetstream::consumer::pull::OrderedConfig::default();
    let messages = stream
        .create_consumer(config)
        .await
        .unwrap()
        .messages()
        .await
        .unwrap();
    let ids = messages
        .take(usize::try_from(count).unwrap())
        .map(|message| {
            let envelope: serde_json::Value =
                serde_json::from_slice(&message.unwrap().payload).unwrap();
            envelope["id"].as_str().unwrap().to_owned()
        });
    ids.collect().await
}

#[tokio::test]
async fn a_lost_stream_is_rebuilt_with_the_same_events_and_nothing_happens_again() {
    let bench = Bench::new().await;
    bench.relay();
    bench.consume(Tally::default());
    bench.control();
    let drivers = [bench.clock.new_id(), bench.clock.new_id()];
    for sequence in 1..=700 {
        for driver in drivers {
            bench.change(driver, sequence).await;
        }
    }
    eventually("all took effect", async || bench.effects().await == 1_400).await;
    let before = ids(&bench).await;
    bench
        .broker
        .jetstream
        .delete_stream(Stream::Drivers.name())
        .await
        .unwrap();

    // Things go on meanwhile: what is new comes after what is old.
    bench.change(drivers[0], 701).await;
    let id = bench.clock.new_id();
    let answer = bench.ask(&Command::Republish { id }).await;
    assert!(matches!(answer, Answer::Operation(_)), "{answer:?}");
    bench.broker.prepare().await.unwrap();
    let operation = ended(&bench, id).await;
    assert_eq!(
        operation.state,
        OperationState::Done,
        "{:?}",
        operation.report
    );
    assert_eq!(
        (operation.total, operation.handled, operation.skipped),
        (1_400, 1_400, 0)
    );
    eventually("it goes on", async || bench.effects().await == 1_401).await;
    let after = ids(&bench).await;
    assert_eq!(after[..1_400], before);
    assert_eq!(after.len(), 1_401);

    // Once more finds everything there.
    let id = bench.clock.new_id();
    bench.ask(&Command::Republish { id }).await;
    let operation = ended(&bench, id).await;
    assert_eq!((operation.handled, operation.skipped), (0, 1_401));
    assert_eq!(bench.stored(Stream::Drivers).await, 1_401);
    assert_eq!(bench.effects().await, 1_401);
    for driver in drivers {
        let tally = bench.tally(driver).await;
        assert!(
            tally
                .iter()
                .zip(1..)
                .all(|(version, expected)| *version == expected)
        );
    }
    bench.end().await;
}

#[tokio::test]
async fn a_dead_letter_of_a_lost_stream_is_put_aside_again_where_it_lies_then_and_can_be_settled() {
    let bench = Bench::new().await;
    let relay = bench.relay();
    let (ill, other) = (bench.clock.new_id(), bench.clock.new_id());
    bench.change(other, 1).await;
    for sequence in 1..=3 {
        bench.change(ill, sequence).await;
    }
    let poison = Tally {
        poison: Some(ill),
        ..Tally::default()
    };
    let consumer = bench.consume(poison.clone());
    bench.control();
    let parked = async || -> Vec<i64> {
        sqlx::query_scalar("select stream_sequence from bus.parked order by 1")
            .fetch_all(bench.pool())
            .await
            .unwrap()
    };
    eventually("two wait", async || parked().await == [3, 4]).await;
    consumer.cancel();
    for stream in [Stream::Drivers, Stream::DeadLetters] {
        let jetstream = &bench.broker.jetstream;
        jetstream.delete_stream(stream.name()).await.unwrap();
    }

    // The other's event is not among what comes back: everything lies one place earlier.
    relay.cancel();
    sqlx::query("delete from bus.outbox where lane = $1")
        .bind(other)
        .execute(bench.pool())
        .await
        .unwrap();
    bench.relay();
    let id = bench.clock.new_id();
    bench.ask(&Command::Republish { id }).await;
    bench.broker.prepare().await.unwrap();
    assert_eq!(ended(&bench, id).await.state, OperationState::Done);
    bench.consume(poison);
    eventually("they wait again", async || parked().await == [2, 3]).await;
    let discard = Command::Discard {
        consumer: "bench_DRIVERS".to_owned(),
        stream_sequence: 1,
    };
    let discarded = bench.ask(&discard).await;
    assert!(matches!(discarded, Answer::Done { .. }), "{discarded:?}");
    assert_eq!(parked().await, Vec::<i64>::new());
    assert_eq!(bench.tally(ill).await, [2, 3]);
    bench.end().await;
}
