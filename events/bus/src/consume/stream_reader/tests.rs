use tempfile::TempDir;
use tiffin_archive::Archive;
use tiffin_events::{Clock, subject};
use tiffin_testkit::TestNats;

use super::*;
use crate::archiver::{self, Window};

const STREAM: Stream = Stream::Drivers;
/// More than the broker is asked for at once.
const COUNT: u64 = MAX_PULL + 400;

#[tokio::test]
async fn what_moves_to_the_archive_while_it_is_read_is_read_there() {
    let nats = TestNats::start().await;
    let folder = TempDir::new().unwrap();
    let archive = Archive::folder(folder.path().to_owned());
    let broker = Broker::connect(&nats.url(), "test").await.unwrap();
    let broker = broker.with_archive(Some(archive.clone()));
    let clock = Clock::system();
    let mut stored = Vec::new();
    for _ in 0..COUNT {
        let subject = subject::event("driver", clock.new_id(), "available");
        stored.push(
            broker
                .jetstream
                .publish(subject, "{}".into())
                .await
                .unwrap(),
        );
    }
    for one in stored {
        one.await.unwrap();
    }
    let subjects = STREAM.subjects().iter().map(ToString::to_string).collect();
    let opened = Source::open(broker.clone(), STREAM, subjects, (1, COUNT), BATCH).await;
    let mut source = opened.unwrap();
    let window = Window {
        max_age: Duration::ZERO,
        min_segment_bytes: 1,
        ..Window::default()
    };
    let step = async || archiver::step(&broker, &archive, STREAM, window, clock.now()).await;
    while step().await.unwrap().is_some() {}
    assert_eq!(broker.first_sequence(STREAM).await.unwrap(), COUNT + 1);
    let mut read = Vec::new();
    while read.len() < usize::try_from(COUNT).unwrap() {
        let batch = timeout(BATCH_TIMEOUT, source.batch()).await;
        let batch = batch.expect("it does not wait for what is gone").unwrap();
        assert!(!batch.is_empty(), "it ends after {}", read.len());
        read.extend(batch.iter().map(|message| message.stream_sequence));
    }
    assert_eq!(read, (1..=COUNT).collect::<Vec<_>>());
    assert!(source.batch().await.unwrap().is_empty());
}
