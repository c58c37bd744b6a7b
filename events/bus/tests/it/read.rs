//! A window of a stream, read in order.

use async_nats::jetstream::stream::Stream as Handle;
use futures_util::TryStreamExt;
use tiffin_bus::read;
use tiffin_events::{Clock, Stream};
use tiffin_testkit::TestNats;
use time::OffsetDateTime;

use crate::{bench::eventually, consumer::at};

/// More than is read at once.
const COUNT: u64 = 20_000;

/// The stream's consumers, by name and when each was made.
async fn consumers(stream: &Handle) -> Vec<(String, OffsetDateTime)> {
    let consumers = stream.consumers();
    consumers
        .map_ok(|consumer| (consumer.name, consumer.created))
        .try_collect()
        .await
        .unwrap()
}

#[tokio::test]
async fn a_reading_goes_on_where_the_broker_loses_its_consumer() {
    let nats = TestNats::start().await;
    let (broker, stream) = (&nats.broker, Stream::Drivers);
    let subject = at(Clock::system().new_id());
    for n in 1..=COUNT {
        let body = n.to_string();
        let published = broker.client.publish(subject.clone(), body.into()).await;
        published.unwrap();
    }
    eventually("all are stored", async || {
        read::last(broker, stream).await.unwrap() == COUNT
    })
    .await;

    let handle = broker.jetstream.get_stream(stream.name()).await.unwrap();
    let mut window = read::open(broker, stream, None, 1, COUNT).await.unwrap();
    let lost = consumers(&handle).await;
    for (name, _) in &lost {
        handle.delete_consumer(name).await.unwrap();
    }
    let mut sequences = Vec::new();
    loop {
        let messages = window.next().await.unwrap();
        if messages.is_empty() {
            break;
        }
        sequences.extend(messages.iter().map(|message| message.seq));
    }
    assert!(
        sequences.iter().copied().eq(1..=COUNT),
        "{} came",
        sequences.len()
    );
    let others = consumers(&handle).await;
    assert!(!others.is_empty() && others != lost, "it took another one");
}
