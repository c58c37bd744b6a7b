//! Streams rebuilt from the outbox.

use tiffin_bus::control::{Answer, Command, RunState};
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

    let id = bench.clock.new_id();
    let answer = bench.ask(&Command::Republish { id }).await;
    assert!(matches!(answer, Answer::Run(_)), "{answer:?}");
    let run = ended(&bench, id).await;
    assert_eq!(run.state, RunState::Done, "{:?}", run.report);
    assert_eq!((run.total, run.handled, run.skipped), (1_400, 1_400, 0));
    assert_eq!(ids(&bench).await, before);

    // Once more finds everything there.
    let id = bench.clock.new_id();
    bench.ask(&Command::Republish { id }).await;
    let run = ended(&bench, id).await;
    assert_eq!((run.handled, run.skipped), (0, 1_400));
    assert_eq!(bench.stored(Stream::Drivers).await, 1_400);

    // The consumer reads it all again, and goes on with what is new.
    bench.change(drivers[0], 701).await;
    eventually("it goes on", async || bench.effects().await == 1_401).await;
    for driver in drivers {
        let tally = bench.tally(driver).await;
        assert!(
            tally
                .iter()
                .zip(1..)
                .all(|(version, place)| *version == place)
        );
    }
    bench.end().await;
}
