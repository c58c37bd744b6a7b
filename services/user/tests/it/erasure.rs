//! The remains of a closed account in streams and outboxes, against a real broker.

use serde_json::json;
use tiffin_bus::{Broker, Relay};
use tiffin_events::{Envelope, Event, Role, Stream, UserId, subject, user::UserEvent};
use tiffin_testkit::TestNats;
use tiffin_user::erase_due;
use time::Duration;
use tokio_util::sync::CancellationToken;

use crate::fixture::{Account, Fixture, PASSWORD};

/// Lets the service's relay publish until nothing waits any more.
async fn publish(fixture: &Fixture, broker: &Broker) {
    let stop = CancellationToken::new();
    let relay = Relay::new(fixture.db.pool.clone(), broker.clone(), "user");
    let relay = tokio::spawn(relay.run(stop.clone()));
    for _ in 0..500 {
        let waiting: i64 =
            sqlx::query_scalar("select count(*) from bus.outbox where published_at is null")
                .fetch_one(&fixture.db.pool)
                .await
                .unwrap();
        if waiting == 0 {
            stop.cancel();
            relay.await.unwrap();
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("the relay did not publish");
}

/// Everything in stream USERS, as text.
async fn stream(broker: &Broker) -> Vec<(String, String)> {
    let stream = broker
        .jetstream
        .get_stream(Stream::Users.name())
        .await
        .unwrap();
    let mut found = Vec::new();
    let mut from = 1;
    while let Ok(message) = stream
        .direct_get_next_for_subject("tiffin.>", Some(from))
        .await
    {
        from = message.sequence + 1;
        let body = String::from_utf8(message.payload.to_vec()).unwrap();
        found.push((message.subject.to_string(), body));
    }
    found
}

async fn outbox(fixture: &Fixture) -> String {
    sqlx::query_scalar("select coalesce(string_agg(body, ' '), '') from bus.outbox")
        .fetch_one(&fixture.db.pool)
        .await
        .unwrap()
}

/// Makes an account by hand so that its events stay in the outbox until they are published.
async fn moved_in(fixture: &Fixture, email: &str) -> Account {
    let account = fixture.account_with_events(Role::Customer, email).await;
    let path = format!("/api/v1/users/update/{}", account.id);
    let change = json!({ "firstName": "Kamala" });
    let call = fixture.app.put(&path).token(&account.token).json(&change);
    call.await.expect(200);
    account
}

async fn close(fixture: &Fixture, account: &Account) {
    let path = format!("/api/v1/users/{}", account.id);
    fixture
        .app
        .delete(&path)
        .token(&account.token)
        .await
        .expect(200);
}

fn deleted(id: UserId) -> String {
    subject::event(UserEvent::AGGREGATE, id.0, "deleted")
}

#[tokio::test]
async fn a_closed_account_leaves_only_that_it_closed() {
    let (fixture, nats) = (Fixture::start().await, TestNats::start().await);
    let me = moved_in(&fixture, "c@tiffin.local").await;
    let other = moved_in(&fixture, "o@tiffin.local").await;
    publish(&fixture, &nats.broker).await;
    // Its past is erased as if it lay there in the clear, as of accounts from before keys it does.
    let kept = outbox(&fixture).await;
    assert!(kept.contains(&me.id.to_string()) && !kept.contains("c@tiffin.local"));
    fixture.clock.advance(Duration::seconds(1));
    close(&fixture, &me).await;
    publish(&fixture, &nats.broker).await;
    assert_eq!(erase_due(&fixture.state, &nats.broker).await.unwrap(), 1);
    let left = stream(&nats.broker).await;
    let mine = subject::every_of(UserEvent::AGGREGATE, me.id.0);
    let mine = mine.trim_end_matches('*');
    let of_mine: Vec<_> = left
        .iter()
        .filter(|(subject, _)| subject.starts_with(mine))
        .collect();
    assert_eq!(of_mine.len(), 1, "{left:?}");
    assert_eq!(of_mine[0].0, deleted(me.id));
    let all = format!("{left:?} {}", outbox(&fixture).await);
    assert!(!all.contains("c@tiffin.local"), "{all}");
    // No other account lost anything.
    assert_eq!(left.len(), 3);
    let of_other = left
        .iter()
        .filter(|(subject, _)| !subject.starts_with(mine));
    let mut events: Vec<Envelope> = of_other
        .map(|(_, body)| serde_json::from_str(body).unwrap())
        .collect();
    let keys = fixture.state.personal_keys().recorder().keys;
    keys.open(&mut events).await.unwrap();
    assert_eq!(events[0].data["email"], json!(other.email));
    assert_eq!(events[1].data["firstName"], "Kamala");
}

#[tokio::test]
async fn it_waits_for_the_broker_to_know_that_they_are_gone() {
    let (fixture, nats) = (Fixture::start().await, TestNats::start().await);
    let me = moved_in(&fixture, "c@tiffin.local").await;
    publish(&fixture, &nats.broker).await;
    fixture.clock.advance(Duration::seconds(1));
    close(&fixture, &me).await;
    assert_eq!(erase_due(&fixture.state, &nats.broker).await.unwrap(), 0);
    assert_eq!(stream(&nats.broker).await.len(), 2);
    publish(&fixture, &nats.broker).await;
    // Not before its next turn: this could be another process.
    assert_eq!(erase_due(&fixture.state, &nats.broker).await.unwrap(), 0);
    fixture.clock.advance(Duration::seconds(30));
    assert_eq!(erase_due(&fixture.state, &nats.broker).await.unwrap(), 1);
    assert_eq!(stream(&nats.broker).await.len(), 1);
}

#[tokio::test]
async fn a_broker_that_is_away_and_a_process_that_was_killed_only_delay_it() {
    let (fixture, mut nats) = (Fixture::start().await, TestNats::durable().await);
    let me = moved_in(&fixture, "c@tiffin.local").await;
    publish(&fixture, &nats.broker).await;
    fixture.clock.advance(Duration::seconds(1));
    close(&fixture, &me).await;
    publish(&fixture, &nats.broker).await;
    nats.server.kill();
    erase_due(&fixture.state, &nats.broker).await.unwrap_err();
    nats.server.start_again().await.unwrap();
    fixture.clock.advance(Duration::seconds(30));
    assert_eq!(erase_due(&fixture.state, &nats.broker).await.unwrap(), 1);
    assert_eq!(stream(&nats.broker).await.len(), 1);
}

#[tokio::test]
async fn what_comes_back_within_the_hour_goes_again_and_then_the_task_is_over() {
    let (fixture, nats) = (Fixture::start().await, TestNats::start().await);
    let me = moved_in(&fixture, "c@tiffin.local").await;
    let row: (String, String) =
        sqlx::query_as("select subject, body from bus.outbox order by id limit 1")
            .fetch_one(&fixture.db.pool)
            .await
            .unwrap();
    publish(&fixture, &nats.broker).await;
    fixture.clock.advance(Duration::seconds(1));
    close(&fixture, &me).await;
    publish(&fixture, &nats.broker).await;
    erase_due(&fixture.state, &nats.broker).await.unwrap();
    // A republication still had it in memory; its deletion follows it.
    let (old, end) = (row, stream(&nats.broker).await.remove(0));
    for (subject, body) in [old, end] {
        let ack = nats.broker.jetstream.publish(subject, body.into()).await;
        ack.unwrap().await.unwrap();
    }
    fixture.clock.advance(Duration::hours(1));
    assert_eq!(erase_due(&fixture.state, &nats.broker).await.unwrap(), 1);
    assert!(!format!("{:?}", stream(&nats.broker).await).contains("c@tiffin.local"));
    fixture.clock.advance(Duration::hours(2));
    assert_eq!(erase_due(&fixture.state, &nats.broker).await.unwrap(), 0);
    fixture.login("c@tiffin.local", PASSWORD).await.problem(401);
}
