//! Deletions and purges that the broker denies to every user: purges of all streams but archived ones.

use async_nats::jetstream::stream::{Config, PersistenceMode};
use tiffin_events::{Clock, Stream};
use tiffin_testkit::TestNats;

use crate::consumer::at;

#[tokio::test]
async fn streams_deny_deletion_and_purge_and_those_of_before_learn_it_with_their_messages_kept() {
    let nats = TestNats::start().await;
    let jetstream = &nats.broker.jetstream;
    for stream in Stream::ALL {
        jetstream.delete_stream(stream.name()).await.unwrap();
        // As they were made once: what else no update can change is as it is.
        let subjects = stream.subjects().iter().map(ToString::to_string).collect();
        let name = stream.name().to_owned();
        let persist_mode = (stream == Stream::Positions).then_some(PersistenceMode::Async);
        let once = Config {
            name,
            subjects,
            persist_mode,
            ..Config::default()
        };
        jetstream.create_stream(once).await.unwrap();
    }
    let subject = at(Clock::system().new_id());
    let stored = jetstream
        .publish(subject, "{}".into())
        .await
        .unwrap()
        .await
        .unwrap();
    nats.broker.prepare().await.unwrap();
    for stream in Stream::ALL {
        let handle = jetstream.get_stream(stream.name()).await.unwrap();
        let config = &handle.cached_info().config;
        let forgets = matches!(stream, Stream::Users | Stream::DeadLetters);
        assert_eq!(config.deny_delete, !forgets, "{stream}");
        assert_eq!(config.deny_purge, !stream.is_archived(), "{stream}");
        if config.deny_purge {
            assert!(handle.purge().await.is_err(), "{stream}");
        }
    }
    let drivers = jetstream.get_stream(Stream::Drivers.name()).await.unwrap();
    assert!(drivers.delete_message(stored.sequence).await.is_err());
    assert_eq!(drivers.cached_info().state.messages, 1);

    // Where single messages may go, they do; and no update takes back what is denied.
    let users = jetstream.get_stream(Stream::Users.name()).await.unwrap();
    let subject = format!("tiffin.user.{}.updated", Clock::system().new_id());
    let stored = jetstream
        .publish(subject, "{}".into())
        .await
        .unwrap()
        .await
        .unwrap();
    users.delete_message(stored.sequence).await.unwrap();
    let config = drivers.cached_info().config.clone();
    let undone = Config {
        deny_delete: false,
        deny_purge: false,
        ..config
    };
    assert!(jetstream.update_stream(undone).await.is_err());
}
