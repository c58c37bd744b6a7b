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
        note: None,
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
    let mut connection = db.pool.acquire().await.unwrap();
    is_placed_by(&mut connection, number, key, orders).await
}

async fn is_placed_by(
    connection: &mut PgConnection,
    number: i64,
    key: Option<&str>,
    orders: &[Order],
) -> bool {
    let key = IdempotencyKey(key.map(ToOwned::to_owned));
    let answer = key.answer(&"cart", StatusCode::CREATED, &"orders").unwrap();
    let placement = Placement {
        customer: orders[0].customer_id,
        checkouts: Checkouts { number, unpaid: 0 },
        orders,
        operation: "place_orders",
        answer: &answer,
    };
    let (recorder, cause) = (recorder(&Clock::system()), Cause::service("order"));
    place(connection, &recorder, &cause, placement)
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

#[tokio::test]
async fn a_closed_account_places_nothing() {
    let (clock, db) = (Clock::system(), TestDb::new(&crate::MIGRATIONS).await);
    let first = order(&clock);
    let next = Order {
        customer_id: first.customer_id,
        ..order(&clock)
    };
    assert!(is_placed(&db, 0, None, std::slice::from_ref(&first)).await);
    let newcomer = order(&clock);
    let mut connection = db.pool.acquire().await.unwrap();
    for customer in [first.customer_id, newcomer.customer_id] {
        close(&mut connection, customer).await.unwrap();
    }
    assert!(!is_placed(&db, 1, None, &[next]).await);
    assert!(!is_placed(&db, 0, None, &[newcomer]).await);
    assert_eq!(count(&db, "orders").await, 1);
}

#[tokio::test]
async fn an_order_that_is_placed_while_its_account_is_closed_is_erased() {
    let (clock, db) = (Clock::system(), TestDb::new(&crate::MIGRATIONS).await);
    let cart = [order(&clock)];
    let (customer, id) = (cart[0].customer_id, cart[0].id);
    let mut checkout = tiffin_database::begin(&db.pool).await.unwrap();
    assert!(is_placed_by(&mut checkout, 0, None, &cart).await);
    let mut erasure = tiffin_database::begin(&db.pool).await.unwrap();
    let erased = tokio::spawn(async move {
        close(&mut erasure, customer).await.unwrap();
        orders::forget_personal(&mut erasure, customer)
            .await
            .unwrap();
        erasure.commit().await.unwrap();
    });
    let waits = "select exists (select from pg_locks where not granted)";
    let is_waiting = || sqlx::query_scalar::<_, bool>(waits).fetch_one(&db.pool);
    while !is_waiting().await.unwrap() {
        tokio::task::yield_now().await;
    }
    checkout.commit().await.unwrap();
    erased.await.unwrap();
    let mut connection = db.pool.acquire().await.unwrap();
    let stored = orders::lock(&mut connection, id).await.unwrap().unwrap();
    assert_eq!((stored.address.as_str(), stored.destination), ("", None));
}
