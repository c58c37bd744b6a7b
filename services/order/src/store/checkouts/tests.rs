use axum::http::StatusCode;
use sqlx::AssertSqlSafe;
use tiffin_chassis::IdempotencyKey;
use tiffin_events::{
    CheckoutId, Clock, Coordinates, ItemId, Money, OrderCode, OrderId, RestaurantId,
    order::OrderStatus,
};
use tiffin_testkit::{TestDb, recorder};

use super::*;
use crate::store::orders;

fn order(clock: &Clock) -> Order {
    let user = || UserId(clock.new_id());
    Order {
        id: OrderId(clock.new_id()),
        code: OrderCode::from_bits(rand::random()),
        checkout_id: CheckoutId(clock.new_id()),
        customer_id: user(),
        restaurant_id: RestaurantId(clock.new_id()),
        owner_id: user(),
        driver_id: None,
        item_id: ItemId(clock.new_id()),
        item_name: "Cheese kottu".to_owned(),
        image: None,
        quantity: 2,
        price: Money::from_cents(95_000),
        total: Money::from_cents(190_000),
        address: "12 Galle Road, Colombo 03".to_owned(),
        destination: Coordinates::new(6.9061, 79.8522).ok(),
        status: OrderStatus::Pending,
        approved: false,
        estimated_time: None,
        created_at: clock.now(),
        deadline: None,
        confirmed_at: None,
        delivered_at: None,
        deleted_at: None,
        cancellation: None,
        sequence: 1,
    }
}

/// True if a checkout that follows `number` others is placed.
async fn is_placed(db: &TestDb, number: i64, key: Option<&str>, orders: &[Order]) -> bool {
    let key = IdempotencyKey(key.map(ToOwned::to_owned));
    let answer = key.answer(&"cart", StatusCode::CREATED, &"orders").unwrap();
    let mut connection = db.pool.acquire().await.unwrap();
    let placement = Placement {
        customer: orders[0].customer_id,
        checkouts: Checkouts { number, unpaid: 0 },
        orders,
        operation: "place_orders",
        answer: &answer,
    };
    let (recorder, cause) = (recorder(&Clock::system()), Cause::service("order"));
    place(&mut connection, &recorder, &cause, placement)
        .await
        .unwrap()
}

async fn count(db: &TestDb, table: &str) -> i64 {
    let sql = AssertSqlSafe(format!("select count(*) from {table}"));
    sqlx::query_scalar(sql).fetch_one(&db.pool).await.unwrap()
}

#[tokio::test]
async fn a_placed_order_is_read_as_it_was() {
    let (clock, db) = (Clock::system(), TestDb::new(&crate::MIGRATIONS).await);
    let cart = [order(&clock)];
    assert!(is_placed(&db, 0, None, &cart).await);
    let mut connection = db.pool.acquire().await.unwrap();
    let stored = orders::lock(&mut connection, cart[0].id).await.unwrap();
    assert_eq!(stored.as_ref(), Some(&cart[0]));
}

#[tokio::test]
async fn a_checkout_that_did_not_see_the_one_before_leaves_nothing() {
    let (clock, db) = (Clock::system(), TestDb::new(&crate::MIGRATIONS).await);
    let first = order(&clock);
    let next = || Order {
        customer_id: first.customer_id,
        ..order(&clock)
    };
    assert!(is_placed(&db, 0, Some("one"), std::slice::from_ref(&first)).await);
    assert!(!is_placed(&db, 0, Some("two"), &[next()]).await);
    assert_eq!(count(&db, "orders").await, 1);
    assert_eq!(
        count(&db, "bus.outbox").await,
        2,
        "its event and its audience"
    );
    assert_eq!(count(&db, "http.idempotency").await, 1);
    assert!(is_placed(&db, 1, Some("two"), &[next()]).await);
    assert!(
        is_placed(&db, 0, None, &[order(&clock)]).await,
        "another customer"
    );
}

#[tokio::test]
async fn a_key_that_has_an_answer_places_nothing() {
    let (clock, db) = (Clock::system(), TestDb::new(&crate::MIGRATIONS).await);
    let first = order(&clock);
    let second = Order {
        customer_id: first.customer_id,
        ..order(&clock)
    };
    assert!(is_placed(&db, 0, Some("one"), &[first]).await);
    assert!(!is_placed(&db, 1, Some("one"), &[second]).await);
    assert_eq!(count(&db, "orders").await, 1);
}

#[tokio::test]
async fn a_code_that_is_taken_places_nothing() {
    let (clock, db) = (Clock::system(), TestDb::new(&crate::MIGRATIONS).await);
    let first = order(&clock);
    let same_code = || Order {
        code: first.code.clone(),
        ..order(&clock)
    };
    assert!(is_placed(&db, 0, None, std::slice::from_ref(&first)).await);
    assert!(!is_placed(&db, 0, Some("one"), &[order(&clock), same_code()]).await);
    assert_eq!(count(&db, "orders").await, 1);
    assert_eq!(count(&db, "checkouts").await, 1);
    assert_eq!(count(&db, "http.idempotency").await, 0);
}
