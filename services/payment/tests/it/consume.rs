use tiffin_chassis::Env;
use tiffin_events::{
    Clock, Role, Stream,
    order::{OrderPlacedV1, OrderRefV1},
};
use tiffin_payment::State;
use tiffin_testkit::{History, TestDb, feed_samples, histories, recorder, verifier};

use crate::fixture::{Fixture, VISA, by_card};

#[tokio::test]
async fn every_sample_takes_effect_once() {
    for stream in [
        Stream::Orders,
        Stream::Deliveries,
        Stream::Users,
        Stream::Catalog,
    ] {
        let db = TestDb::new(&tiffin_payment::MIGRATIONS).await;
        let clock = Clock::system();
        let state = State::new(
            db.pool.clone(),
            verifier(&clock),
            recorder(&clock),
            &Env::default(),
        );
        let consumers = tiffin_payment::consumers(&state.unwrap());
        let consumer = consumers
            .iter()
            .find(|consumer| consumer.stream == stream)
            .unwrap();
        assert_eq!(consumer.name, format!("payment_{stream}"));
        feed_samples(consumer, &db.pool).await;
    }
}

#[tokio::test]
async fn what_is_known_of_others_can_be_rebuilt_and_what_was_paid_stays() {
    let fixture = Fixture::new().await;
    let history = History::new(
        tiffin_payment::NAME,
        &fixture.db.pool,
        &tiffin_payment::consumers(&fixture.state),
    )
    .await;
    for event in histories() {
        history.deliver(&event).await;
    }
    let order = still_to_pay();
    let pay = async || {
        let token = fixture.token(order.customer_id, Role::Customer);
        let call = fixture.app.post("/api/payment").token(&token);
        call.json(&by_card(&order, 2501.0, VISA)).await
    };
    pay().await.expect(201);
    history.rebuild_all().await;
    assert_eq!(pay().await.problem(409), "This order is already paid.");
}

/// A sample order that is neither cancelled nor deleted.
fn still_to_pay() -> OrderRefV1 {
    let mut placed = histories()
        .into_iter()
        .filter(|event| event.kind == "tiffin.order.placed.v1");
    let order: OrderPlacedV1 = serde_json::from_value(placed.nth(1).unwrap().data).unwrap();
    order.order
}
