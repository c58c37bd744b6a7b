use serde_json::{Value, json};
use sqlx::PgPool;
use tiffin_bus::Consumer;
use tiffin_events::{
    Clock, DeliveryId, Stream,
    delivery::DeliveryEvent,
    item::{ItemEvent, ItemProfileV1, ItemRefV1},
    restaurant::{RestaurantEvent, RestaurantRefV1},
};
use tiffin_order::State;
use tiffin_testkit::{
    History, TestDb, drain_outbox, drain_rows, feed_samples, histories, recorder, sample, verifier,
};
use uuid::Uuid;

use crate::fixture::{Fixture, created};

/// The order that the samples of deliveries belong to, as it was placed.
async fn sample_order(pool: &PgPool, order: &Value) {
    let id = |name: &str| order[name].as_str().and_then(|id| id.parse::<Uuid>().ok());
    sqlx::query(
        "insert into orders
            (id, code, checkout_id, customer_id, restaurant_id, owner_id, item_id, item_name, quantity, price,
             total, address, status, approved, created_at, version)
         values ($1, $7, $2, $3, $4, $5, $6, 'Chicken kottu', 2, 95000, 190000, '12 Galle Road',
                 'pending', false, now(), 1)",
    )
    .bind(id("orderId"))
    .bind(id("checkoutId"))
    .bind(id("customerId"))
    .bind(id("restaurantId"))
    .bind(id("ownerId"))
    .bind(id("itemId"))
    .bind(order["orderCode"].as_str())
    .execute(pool)
    .await
    .unwrap();
}

/// A database without any events.
async fn fresh() -> (TestDb, Vec<Consumer>) {
    let db = TestDb::new(&tiffin_order::MIGRATIONS).await;
    let clock = Clock::system();
    let state = State::new(
        db.pool.clone(),
        verifier(&clock),
        recorder(&clock),
        &tiffin_chassis::Env::default(),
    )
    .unwrap();
    (db, tiffin_order::consumers(&state))
}

#[tokio::test]
async fn every_sample_takes_effect_once() {
    for stream in [
        Stream::Catalog,
        Stream::Users,
        Stream::Drivers,
        Stream::Deliveries,
        Stream::Payments,
    ] {
        let (db, consumers) = fresh().await;
        sample_order(&db.pool, &sample("tiffin.order.placed.v1").data).await;
        let consumer = consumers
            .iter()
            .find(|consumer| consumer.stream == stream)
            .unwrap();
        assert_eq!(consumer.name, format!("order_{stream}"));
        feed_samples(consumer, &db.pool).await;
    }
}

#[tokio::test]
async fn an_order_shows_its_delivery_and_follows_it_forward_only() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.confirm(&order).await.expect(200);
    fixture.events().await;
    let delivery = DeliveryId(fixture.clock.new_id());
    fixture.delivery(delivery, &order, created).await;
    assert_eq!(fixture.only_order().await["deliveryId"], json!(delivery));
    assert!(
        fixture.events().await.is_empty(),
        "being shown is no event of the order's"
    );
    fixture
        .delivery(delivery, &order, DeliveryEvent::OnTheWay)
        .await;
    assert_eq!(fixture.only_order().await["status"], "dispatched");
    fixture
        .delivery(delivery, &order, DeliveryEvent::PickedUp)
        .await;
    assert_eq!(
        fixture.only_order().await["status"],
        "dispatched",
        "never backwards"
    );
    fixture
        .delivery(delivery, &order, DeliveryEvent::Delivered)
        .await;
    fixture
        .delivery(delivery, &order, DeliveryEvent::OnTheWay)
        .await;
    assert_eq!(
        fixture.only_order().await["status"],
        "delivered",
        "never backwards"
    );
    let events = drain_outbox(&fixture.db.pool).await;
    let kinds: Vec<_> = events.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(
        kinds,
        ["tiffin.order.dispatched.v1", "tiffin.order.delivered.v1"]
    );
    assert!(
        events.iter().all(|event| event.causationid.is_some()),
        "they follow from the delivery's"
    );
}

#[tokio::test]
async fn a_cancelled_delivery_is_not_shown() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.confirm(&order).await.expect(200);
    let delivery = DeliveryId(fixture.clock.new_id());
    fixture.delivery(delivery, &order, created).await;
    let path = format!("/api/v1/orders/cancel/{}", order["_id"].as_str().unwrap());
    fixture
        .app
        .post(&path)
        .token(&fixture.owner())
        .await
        .expect(200);
    fixture
        .delivery(delivery, &order, DeliveryEvent::Cancelled)
        .await;
    let order = fixture.only_order().await;
    assert_eq!(
        (&order["status"], &order["deliveryId"]),
        (&json!("cancelled"), &json!(null))
    );
}

#[tokio::test]
async fn dishes_may_come_before_their_restaurant() {
    let fixture = Fixture::empty().await;
    let kottu = fixture.dish(fixture.kottu, "Chicken kottu", 95_000);
    fixture
        .deliver_event(fixture.kottu.0, &ItemEvent::Added(kottu))
        .await;
    let cart = json!({ "orderItem": [{ "key": fixture.kottu, "qty": 1 }] });
    fixture
        .app
        .post("/api/v1/orders/quote")
        .json(&cart)
        .await
        .problem(422);
    fixture
        .restaurant(fixture.restaurant, fixture.owner, true)
        .await;
    fixture
        .app
        .post("/api/v1/orders/quote")
        .json(&cart)
        .await
        .expect(200);
}

#[tokio::test]
async fn orders_go_on_when_their_dish_and_restaurant_are_gone() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture
        .deliver_event(
            fixture.kottu.0,
            &ItemEvent::Deleted(ItemRefV1 {
                item_id: fixture.kottu,
                restaurant_id: fixture.restaurant,
            }),
        )
        .await;
    fixture
        .deliver_event(
            fixture.restaurant.0,
            &RestaurantEvent::Deleted(RestaurantRefV1 {
                restaurant_id: fixture.restaurant,
                owner_id: fixture.owner,
            }),
        )
        .await;
    fixture.checkout(&fixture.cart()).await.problem(422);
    fixture.confirm(&order).await.expect(200);
    let order = fixture.only_order().await;
    assert_eq!(
        (
            &order["status"],
            &order["Item_name"],
            &order["restaurantName"]
        ),
        (
            &json!("confirmed"),
            &json!("Chicken kottu"),
            &json!("Kottu Corner")
        )
    );
}

#[tokio::test]
async fn an_order_keeps_the_price_it_was_placed_at_and_may_have_no_picture() {
    let fixture = Fixture::new().await;
    let before = fixture.order().await;
    let dearer = ItemProfileV1 {
        images: Vec::new(),
        ..fixture.dish(fixture.kottu, "Chicken kottu", 110_000)
    };
    fixture
        .deliver_event(fixture.kottu.0, &ItemEvent::Updated(dearer))
        .await;
    assert_eq!(fixture.only_order().await["price"], before["price"]);
    let after = fixture.order().await;
    assert_eq!(
        (&after["price"], &after["image"]),
        (&json!(1100), &json!(null))
    );
}

#[tokio::test]
async fn the_rows_about_other_services_can_be_rebuilt_and_no_order_changes() {
    let (db, consumers) = fresh().await;
    let history = History::new(tiffin_order::NAME, &db.pool, &consumers).await;
    for event in histories() {
        if event.kind == "tiffin.order.placed.v1" {
            sample_order(&db.pool, &event.data).await;
        }
    }
    for event in histories() {
        history.deliver(&event).await;
    }
    assert!(!drain_rows(&db.pool).await.is_empty());
    history.rebuild_all().await;
    assert!(drain_rows(&db.pool).await.is_empty());
}
