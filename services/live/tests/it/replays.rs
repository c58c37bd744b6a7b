//! Live replays as operators see them.

use serde_json::{Value, json};
use tiffin_events::{
    Role,
    live::{ClientFrame, ServerFrame},
    subject,
};
use tiffin_live::Limits;
use tiffin_testkit::{LiveClient, TestNats};
use uuid::Uuid;

use crate::fixture::{Fixture, envelope, refusal, silence, user};

const OPERATOR: u128 = 99;
const REPLAY: Uuid = Uuid::from_u128(4);

fn topic() -> String {
    format!("replay:{REPLAY}")
}

fn shown(stream: &str, seq: u64, subject: &str, event: &Value) -> Value {
    json!({"type": "event", "topic": topic(), "stream": stream, "seq": seq, "subject": subject, "event": event})
}

fn order_event(seq: u64) -> Value {
    let order = Uuid::from_u128(5);
    let event = envelope("tiffin.order.placed.v1", order, &json!({"address": "•••"}));
    shown(
        "ORDERS",
        seq,
        &subject::event("order", order, "placed"),
        &event,
    )
}

fn position(seq: u64) -> Value {
    let delivery = Uuid::from_u128(7);
    let data = json!({"lat": 6.9, "lng": 79.85, "at": "2026-11-21T09:00:00Z"});
    let event = envelope("tiffin.position.updated.v1", delivery, &data);
    shown(
        "POSITIONS",
        seq,
        &format!("tiffin.position.{delivery}"),
        &event,
    )
}

fn progress(state: &str, handled: u64) -> Value {
    json!({"type": "progress", "topic": topic(), "state": state, "total": 3, "handled": handled,
        "skipped": 0, "failed": 0})
}

async fn next(client: &mut LiveClient) -> Value {
    json!(client.next().await)
}

#[tokio::test]
async fn an_operator_sees_what_a_replay_shows_until_it_ends() {
    let fixture = Fixture::new().await;
    let mut client = fixture.connect_as(user(OPERATOR), Role::Operator).await;
    client.watch(&topic()).await;
    // The places of several streams are no order to drop anything by.
    let frames = [
        progress("running", 0),
        order_event(50),
        position(7),
        order_event(3),
        progress("done", 3),
    ];
    for frame in &frames {
        fixture.show(REPLAY, frame).await;
        assert_eq!(next(&mut client).await, *frame);
    }
    // A watcher of the old replay gets nothing of another one with the same name, and may watch again.
    fixture.show(REPLAY, &order_event(60)).await;
    silence(&mut client).await;
    client.watch(&topic()).await;
    fixture.show(REPLAY, &order_event(60)).await;
    assert_eq!(next(&mut client).await, order_event(60));
}

#[tokio::test]
async fn frames_are_passed_on_letter_for_letter_and_other_things_are_not() {
    let fixture = Fixture::new().await;
    let mut client = fixture.connect_as(user(OPERATOR), Role::Operator).await;
    client.watch(&topic()).await;
    let client_of = &fixture.nats.broker.client;
    let odd = format!(
        r#"{{ "state" : "running", "topic":"{}", "type":"progress","total":1,"handled":1,"skipped":0,"failed":0 ,"more":"é"}}"#,
        topic()
    );
    for body in ["", "{}", "no JSON", r#"{"type":"auth","token":"x"}"#, &odd] {
        let subject = subject::operation(REPLAY);
        client_of
            .publish(subject, body.to_owned().into())
            .await
            .unwrap();
    }
    assert_eq!(client.text().await.unwrap(), odd);
    fixture.show(Uuid::from_u128(5), &order_event(1)).await;
    silence(&mut client).await;
}

#[tokio::test]
async fn a_replay_is_for_operators_alone() {
    let fixture = Fixture::new().await;
    for role in [
        Role::Customer,
        Role::Restaurant,
        Role::Delivery,
        Role::Admin,
    ] {
        let mut client = fixture.connect_as(user(OPERATOR), role).await;
        let watch = ClientFrame::Watch {
            topic: topic(),
            after: None,
        };
        client.send(&watch).await;
        let (refused, message) = refusal(&mut client).await;
        assert_eq!(
            (refused, &*message),
            (topic(), "There is no such thing for you to watch.")
        );
        fixture.show(REPLAY, &order_event(1)).await;
        silence(&mut client).await;
    }
}

#[tokio::test]
async fn a_blocked_operator_sees_no_more_of_it() {
    let fixture = Fixture::new().await;
    let mut client = fixture.connect_as(user(OPERATOR), Role::Operator).await;
    client.watch(&topic()).await;
    fixture
        .verifier
        .revocations()
        .revoke(user(OPERATOR), fixture.clock.now());
    assert_eq!(client.closed().await.code, Some(4401));
}

#[tokio::test]
async fn after_an_outage_of_the_broker_the_page_refetches_and_the_replay_goes_on() {
    let mut fixture = Fixture::on(TestNats::durable().await, Limits::default()).await;
    let mut client = fixture.connect_as(user(OPERATOR), Role::Operator).await;
    client.watch(&topic()).await;
    fixture.nats.server.kill();
    fixture.nats.server.start_again().await.unwrap();
    let again = ServerFrame::Watching { topic: topic() };
    client.until(|frame| *frame == again).await;
    fixture.show(REPLAY, &order_event(1)).await;
    assert_eq!(next(&mut client).await, order_event(1));
    silence(&mut client).await;
}
