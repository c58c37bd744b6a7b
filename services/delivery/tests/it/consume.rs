use serde_json::json;
use tiffin_bus::Consumer;
use tiffin_delivery::State;
use tiffin_events::{
    Clock, Stream, UserId,
    order::{OrderEvent, OrderReopenedV1, OrderStatus},
};
use tiffin_testkit::{
    History, TestDb, drain_entries, drain_rows, feed_samples, histories, recorder, verifier,
};
use time::Duration;
use tokio::task::JoinSet;

use crate::fixture::Fixture;

/// A database without any events.
async fn fresh() -> (TestDb, Vec<Consumer>) {
    let db = TestDb::new(&tiffin_delivery::MIGRATIONS).await;
    let clock = Clock::system();
    let nats = async_nats::ConnectOptions::new().retry_on_initial_connect();
    let nats = nats.connect("nats://127.0.0.1:1").await.unwrap();
    let state = State::new(
        db.pool.clone(),
        verifier(&clock),
        recorder(&clock),
        nats,
        &tiffin_chassis::Env::default(),
    )
    .unwrap();
    (db, tiffin_delivery::consumers(&state))
}

#[tokio::test]
async fn every_sample_takes_effect_once() {
    for stream in [
        Stream::Orders,
        Stream::Users,
        Stream::Catalog,
        Stream::Drivers,
        Stream::Deliveries,
    ] {
        let (db, consumers) = fresh().await;
        let consumer = consumers
            .iter()
            .find(|consumer| consumer.stream == stream)
            .unwrap();
        assert_eq!(consumer.name, format!("delivery_{stream}"));
        feed_samples(consumer, &db.pool).await;
    }
}

#[tokio::test]
async fn a_confirmed_order_becomes_a_delivery_under_way() {
    let fixture = Fixture::new().await;
    let order = fixture.placed().await;
    assert_eq!(fixture.list(&fixture.admin()).await, json!([]));
    fixture
        .confirmed(&order, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    let delivery = fixture.list(&fixture.customer()).await[0].clone();
    let rows = drain_rows(&fixture.db.pool).await;
    let [audience, current, event] = rows.as_slice() else {
        panic!("{rows:?}")
    };
    let id = delivery["_id"].as_str().unwrap();
    assert_eq!(audience.subject, format!("$KV.audience.delivery.{id}"));
    assert_eq!(
        audience.body,
        json!({ "users": [fixture.customer, fixture.owner, fixture.driver], "driver": fixture.driver,
            "active": true, "version": 1 })
    );
    assert_eq!(
        current.subject,
        format!("$KV.audience.driver.{}", fixture.driver)
    );
    assert_eq!(current.body["deliveries"], json!([id]));
    assert_eq!(event.subject, format!("tiffin.delivery.{id}.created"));
    assert_eq!(
        event.audience,
        [fixture.customer, fixture.owner, fixture.driver]
    );
    assert_eq!(event.body["correlationid"], json!(order.order_id));
    assert_eq!(event.body["data"]["orderName"], "Chicken kottu");
}

#[tokio::test]
async fn another_confirmation_gives_the_one_delivery_to_another_driver() {
    let fixture = Fixture::new().await;
    let order = fixture.placed().await;
    fixture
        .confirmed(&order, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    let delivery = fixture.list(&fixture.driver()).await[0].clone();
    fixture
        .set_status(&delivery, "on the way")
        .await
        .expect(200);
    fixture
        .set_location(&delivery, 6.9, 79.85)
        .await
        .expect(200);
    drain_rows(&fixture.db.pool).await;
    let later = fixture.half_an_hour_from_now() + Duration::minutes(15);
    fixture.confirmed(&order, fixture.other_driver, later).await;
    let rows = drain_rows(&fixture.db.pool).await;
    let current = |driver: UserId| {
        let subject = format!("$KV.audience.driver.{driver}");
        rows.iter().find(|row| row.subject == subject).unwrap()
    };
    assert_eq!(current(fixture.driver).body["deliveries"], json!([]));
    assert_eq!(
        current(fixture.other_driver).body["deliveries"],
        json!([delivery["_id"]])
    );
    let event = rows.last().unwrap();
    assert_eq!(event.body["type"], "tiffin.delivery.reassigned.v1");
    assert_eq!(
        event.audience,
        [
            fixture.customer,
            fixture.owner,
            fixture.other_driver,
            fixture.driver
        ],
        "it is gone from the first driver's list"
    );
    assert_eq!(fixture.list(&fixture.driver()).await, json!([]));
    let delivery = fixture.list(&fixture.owner()).await[0].clone();
    assert_eq!(
        (&delivery["driverId"], &delivery["status"]),
        (&json!(fixture.other_driver), &json!("picked up"))
    );
    assert_eq!(
        (&delivery["lat"], &delivery["lng"]),
        (&json!(0.0), &json!(0.0)),
        "the other is somewhere else"
    );
}

#[tokio::test]
async fn a_cancelled_order_ends_its_delivery() {
    let fixture = Fixture::new().await;
    let order = fixture.placed().await;
    fixture
        .confirmed(&order, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    let delivery = fixture.list(&fixture.driver()).await[0].clone();
    fixture.events().await;
    fixture
        .deliver_event(
            order.order_id.0,
            &OrderEvent::Cancelled(order.clone().into()),
        )
        .await;
    let rows = drain_rows(&fixture.db.pool).await;
    assert_eq!(rows[0].body["active"], false);
    assert_eq!(rows[1].body["deliveries"], json!([]));
    assert_eq!(rows[2].body["type"], "tiffin.delivery.cancelled.v1");
    assert_eq!(fixture.list(&fixture.admin()).await, json!([]));
    fixture
        .set_status(&delivery, "on the way")
        .await
        .problem(404);
    fixture
        .set_location(&delivery, 6.9, 79.85)
        .await
        .problem(404);
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn an_owner_ends_a_delivery_and_takes_it_back() {
    let fixture = Fixture::new().await;
    let order = fixture.placed().await;
    fixture
        .confirmed(&order, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    fixture.events().await;
    fixture
        .deliver_event(order.order_id.0, &OrderEvent::Delivered(order.clone()))
        .await;
    assert_eq!(fixture.events().await, ["tiffin.delivery.delivered.v1"]);
    assert_eq!(
        fixture.list(&fixture.driver()).await[0]["status"],
        "delivered"
    );
    let reopened = OrderReopenedV1 {
        order: order.clone(),
        from: OrderStatus::Delivered,
        to: OrderStatus::Dispatched,
    };
    fixture
        .deliver_event(order.order_id.0, &OrderEvent::Reopened(reopened))
        .await;
    assert_eq!(fixture.events().await, ["tiffin.delivery.on_the_way.v1"]);
    assert_eq!(
        fixture.list(&fixture.driver()).await[0]["status"],
        "on the way"
    );
}

#[tokio::test]
async fn a_step_of_the_driver_that_comes_back_changes_nothing() {
    let fixture = Fixture::new().await;
    let order = fixture.placed().await;
    fixture
        .confirmed(&order, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    let delivery = fixture.list(&fixture.driver()).await[0].clone();
    for status in ["delivered", "on the way"] {
        fixture.set_status(&delivery, status).await.expect(200);
    }
    fixture.events().await;
    // The order follows the first of the two, late.
    let event = OrderEvent::Delivered(order.clone());
    fixture
        .deliver_caused(order.order_id.0, &event, Some(order.order_id.0))
        .await;
    assert!(fixture.events().await.is_empty());
    assert_eq!(
        fixture.list(&fixture.driver()).await[0]["status"],
        "on the way"
    );
}

#[tokio::test]
async fn what_was_brought_stays_brought_when_its_order_is_deleted() {
    let fixture = Fixture::new().await;
    let order = fixture.placed().await;
    fixture
        .confirmed(&order, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    let delivery = fixture.list(&fixture.driver()).await[0].clone();
    fixture.set_status(&delivery, "delivered").await.expect(200);
    fixture.events().await;
    fixture
        .deliver_event(order.order_id.0, &OrderEvent::Deleted(order.clone()))
        .await;
    let refused = ["tiffin.delivery.cancel_refused.v1"];
    assert_eq!(fixture.events().await, refused);
    assert_eq!(
        fixture.list(&fixture.driver()).await[0]["status"],
        "delivered"
    );
}

#[tokio::test]
async fn the_last_list_of_a_drivers_deliveries_is_the_true_one_however_many_change_at_once() {
    let fixture = Fixture::new().await;
    let mut deliveries = Vec::new();
    for _ in 0..12 {
        deliveries.push(fixture.delivery().await);
    }
    drain_rows(&fixture.db.pool).await;
    let mut calls = JoinSet::new();
    for delivery in &deliveries[..9] {
        let path = format!(
            "/api/v1/delivery/update/{}",
            delivery["_id"].as_str().unwrap()
        );
        let call = fixture
            .app
            .put(&path)
            .token(&fixture.driver())
            .json(&json!({ "status": "delivered" }));
        calls.spawn(async { call.await.expect(200) });
    }
    calls.join_all().await;
    let entries = drain_entries(&fixture.db.pool).await;
    let last = entries
        .iter()
        .rfind(|entry| entry.key == format!("driver.{}", fixture.driver))
        .unwrap();
    let left: Vec<_> = deliveries[9..]
        .iter()
        .map(|delivery| delivery["_id"].clone())
        .collect();
    assert_eq!(last.value["deliveries"], json!(left));
}

#[tokio::test]
async fn the_rows_about_other_services_can_be_rebuilt_and_nothing_is_published() {
    let (db, consumers) = fresh().await;
    let history = History::new(tiffin_delivery::NAME, &db.pool, &consumers).await;
    for event in histories() {
        history.deliver(&event).await;
    }
    assert!(!drain_rows(&db.pool).await.is_empty());
    history.rebuild_all().await;
    assert!(drain_rows(&db.pool).await.is_empty());
}
