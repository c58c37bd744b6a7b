//! The personal fields of an order's events: sealed in the outbox, with all that bookkeeping needs beside them.

use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tiffin_bus::{
    Recorder,
    seal::{KeyAsk, KeySource, KeyState, Keys, KeysError},
};
use tiffin_chassis::Env;
use tiffin_events::{
    Clock, Role, UserId,
    user::{UserEvent, UserRefV1},
};
use tiffin_order::State;
use tiffin_testkit::{TestApp, TestDb, TestKeys, drain_sealed, recorder, token, verifier};

use crate::fixture::{Fixture, HOME};

const NOTE: &str = "Allergic to peanuts.";

async fn one_kottu(fixture: &Fixture) -> Value {
    let cart = json!({ "orderItem": [{ "key": fixture.kottu, "qty": 1, "note": NOTE }] });
    let answer = fixture.checkout(&cart).await.expect(201);
    answer["orders"][0].clone()
}

#[tokio::test]
async fn an_address_and_a_note_are_sealed_under_the_customers_key() {
    let fixture = Fixture::new().await;
    let order = one_kottu(&fixture).await;
    let mut events = drain_sealed(&fixture.db.pool).await;
    let [placed] = events.as_slice() else {
        panic!("{events:?}")
    };
    let text = serde_json::to_string(placed).unwrap();
    for personal in ["Galle", "79.85", NOTE] {
        assert!(!text.contains(personal), "{personal} in {text}");
    }
    assert_eq!(placed.sealed.0[0].person, fixture.customer);
    assert_eq!(placed.data["totalAmount"], order["totalAmount"]);
    assert_eq!(placed.data["orderCode"], order["orderId"]);
    let keys = recorder(&fixture.clock).keys;
    keys.open(&mut events).await.unwrap();
    assert_eq!(events[0].data["address"], HOME);
    assert_eq!(events[0].data["destLng"], 79.8522);
    assert_eq!(events[0].data["note"], NOTE);
}

#[tokio::test]
async fn what_is_written_about_a_closed_account_is_erased_at_once() {
    let fixture = Fixture::new().await;
    TestKeys::of_process().destroy(fixture.customer);
    one_kottu(&fixture).await;
    let mut events = drain_sealed(&fixture.db.pool).await;
    assert_eq!(events[0].sealed.0[0].value, "");
    let keys = recorder(&fixture.clock).keys;
    keys.open(&mut events).await.unwrap();
    assert_eq!(events[0].data["address"], "");
    assert_eq!(events[0].data.get("note"), None);
}

#[tokio::test]
async fn a_closed_account_orders_nothing() {
    let fixture = Fixture::new().await;
    one_kottu(&fixture).await;
    let (user_id, role) = (fixture.customer, Role::Customer);
    let closed = UserEvent::Deleted(UserRefV1 { user_id, role });
    fixture.deliver_event(user_id.0, &closed).await;
    let cart = json!({ "orderItem": [{ "key": fixture.kottu, "qty": 1 }], "address": HOME });
    let refused = fixture.checkout(&cart).await.expect(401);
    assert_eq!(refused["code"], "request.token-revoked");
    let admin = fixture.admin();
    let addresses = fixture.column("/api/v1/orders", &admin, "address").await;
    assert_eq!(addresses, [json!("")]);
    let notes = fixture.column("/api/v1/orders", &admin, "note").await;
    assert_eq!(notes, [Value::Null]);
}

/// A user service that does not answer.
struct Away;

impl KeySource for Away {
    fn find(&self, _ask: KeyAsk) -> BoxFuture<'_, Result<Vec<KeyState>, KeysError>> {
        let away = KeysError::Away("it is away".to_owned());
        Box::pin(std::future::ready(Err(away)))
    }
}

#[tokio::test]
async fn without_a_key_nothing_is_ordered_and_the_answer_says_to_try_again() {
    let (db, clock) = (
        TestDb::new(&tiffin_order::MIGRATIONS).await,
        Clock::system(),
    );
    let recorder = Recorder::new(clock.clone(), Keys::new(Away));
    let state = State::new(db.pool.clone(), verifier(&clock), recorder, &Env::default());
    let (routes, _) = tiffin_order::router(state.unwrap()).split_for_parts();
    let app = TestApp::start(routes).await;
    let customer = token(&clock, UserId(clock.new_id()), Role::Customer).sign();
    let cart = json!({ "orderItem": [{ "key": clock.new_id(), "qty": 1 }], "address": HOME });
    let call = app.post("/api/v1/orders").token(&customer).json(&cart);
    let answer = call.await;
    assert!(answer.header("retry-after").is_some());
    let body = answer.expect(503);
    assert_eq!(body["code"], "server.not-ready", "{body}");
}
