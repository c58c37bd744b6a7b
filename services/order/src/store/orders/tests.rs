use std::collections::BTreeSet;

use tiffin_events::Clock;
use tiffin_testkit::TestDb;

use super::*;

fn order(clock: &Clock) -> Order {
    let user = || UserId(clock.new_id());
    Order {
        id: OrderId(clock.new_id()),
        code: OrderCode::from_bits(0),
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
        confirmed_at: None,
        delivered_at: None,
        deleted_at: None,
        version: 1,
    }
}

#[tokio::test]
async fn a_code_that_is_taken_is_drawn_again() {
    let clock = Clock::system();
    let db = TestDb::new(&crate::MIGRATIONS).await;
    let mut connection = db.pool.acquire().await.unwrap();
    let mut numbers = [1, 1, 1, 2, 2, 3, 3, 4]
        .into_iter()
        .map(OrderCode::from_bits);
    let mut drawn = || numbers.next().unwrap();
    let mut first = [order(&clock)];
    insert(&mut connection, &mut first, &mut drawn)
        .await
        .unwrap();
    let mut cart = [order(&clock), order(&clock), order(&clock)];
    // Both a stranger's code and one drawn twice within the cart.
    insert(&mut connection, &mut cart, &mut drawn)
        .await
        .unwrap();
    let codes: BTreeSet<_> = first
        .iter()
        .chain(&cart)
        .map(|order| order.code.to_string())
        .collect();
    assert_eq!(codes.len(), 4);
    for order in &cart {
        assert_eq!(
            lock(&mut connection, order.id).await.unwrap().as_ref(),
            Some(order)
        );
    }
}

#[tokio::test]
async fn drawing_ends_when_every_code_is_taken() {
    let clock = Clock::system();
    let db = TestDb::new(&crate::MIGRATIONS).await;
    let mut connection = db.pool.acquire().await.unwrap();
    let always = || OrderCode::from_bits(7);
    insert(&mut connection, &mut [order(&clock)], always)
        .await
        .unwrap();
    let refused = insert(&mut connection, &mut [order(&clock)], always).await;
    assert!(refused.is_err_and(|error| error.to_string().contains("no free order code")));
}
