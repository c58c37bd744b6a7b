use serde_json::{Value, json};
use tiffin_events::{
    Clock,
    item::{ItemEvent, ItemProfileV1, ItemRefV1},
    restaurant::{RestaurantEvent, RestaurantPausedV1, RestaurantRefV1},
};
use tiffin_testkit::Answer;
use time::{Duration, macros::datetime};
use uuid::Uuid;

use crate::fixture::Fixture;

async fn quote(fixture: &Fixture, body: &Value) -> Answer {
    fixture.app.post("/api/v1/orders/quote").json(body).await
}

#[tokio::test]
async fn a_cart_is_priced_without_an_account_by_the_services_prices() {
    let fixture = Fixture::new().await;
    let body = quote(&fixture, &fixture.cart()).await.expect(200);
    assert_eq!(
        body,
        json!({
            "orderItem": [
                {
                    "key": fixture.kottu, "qty": 2, "name": "Chicken kottu", "price": 950, "total": 1900,
                    "image": "/images/dish.webp", "restaurantId": fixture.restaurant, "restaurantName": "Kottu Corner",
                },
                {
                    "key": fixture.hopper, "qty": 1, "name": "Egg hopper", "price": 120.5, "total": 120.5,
                    "image": "/images/dish.webp", "restaurantId": fixture.restaurant, "restaurantName": "Kottu Corner",
                },
            ],
            "total": 2020.5,
        })
    );
}

#[tokio::test]
async fn an_unknown_unapproved_or_deleted_dish_is_named() {
    let fixture = Fixture::new().await;
    let hidden = ItemProfileV1 {
        approved: false,
        ..fixture.dish(fixture.hopper, "Egg hopper", 12_050)
    };
    fixture
        .deliver_event(fixture.hopper.0, &ItemEvent::Updated(hidden))
        .await;
    let gone = ItemRefV1 {
        item_id: fixture.kottu,
        restaurant_id: fixture.restaurant,
    };
    fixture
        .deliver_event(fixture.kottu.0, &ItemEvent::Deleted(gone))
        .await;
    for key in [Uuid::from_u128(1), fixture.hopper.0, fixture.kottu.0] {
        let answer = quote(
            &fixture,
            &json!({ "orderItem": [{ "key": key, "qty": 1 }] }),
        )
        .await;
        let fields = answer.body["fields"].clone();
        assert_eq!(answer.problem(422), format!("There is no dish {key}."));
        assert_eq!(
            fields["orderItem[0].key"],
            format!("There is no dish {key}.")
        );
    }
}

#[tokio::test]
async fn a_dish_can_be_quoted_once_it_is_approved() {
    let fixture = Fixture::new().await;
    let hidden = ItemProfileV1 {
        approved: false,
        ..fixture.dish(fixture.hopper, "Egg hopper", 12_050)
    };
    fixture
        .deliver_event(fixture.hopper.0, &ItemEvent::Updated(hidden))
        .await;
    quote(&fixture, &fixture.cart()).await.problem(422);
    let hopper = ItemRefV1 {
        item_id: fixture.hopper,
        restaurant_id: fixture.restaurant,
    };
    fixture
        .deliver_event(fixture.hopper.0, &ItemEvent::Approved(hopper))
        .await;
    quote(&fixture, &fixture.cart()).await.expect(200);
}

#[tokio::test]
async fn a_closed_restaurant_sells_nothing_until_it_opens() {
    let fixture = Fixture::new().await;
    let restaurant = RestaurantRefV1 {
        restaurant_id: fixture.restaurant,
        owner_id: fixture.owner,
    };
    fixture
        .deliver_event(
            fixture.restaurant.0,
            &RestaurantEvent::Closed(restaurant.clone()),
        )
        .await;
    assert_eq!(
        quote(&fixture, &fixture.cart()).await.problem(409),
        "Restaurant is closed."
    );
    fixture
        .deliver_event(
            fixture.restaurant.0,
            &RestaurantEvent::Opened(restaurant.clone()),
        )
        .await;
    quote(&fixture, &fixture.cart()).await.expect(200);
    fixture
        .deliver_event(fixture.restaurant.0, &RestaurantEvent::Deleted(restaurant))
        .await;
    quote(&fixture, &fixture.cart()).await.problem(422);
}

#[tokio::test]
async fn a_dish_out_of_stock_is_named() {
    let fixture = Fixture::new().await;
    let sold_out = ItemProfileV1 {
        available: false,
        ..fixture.dish(fixture.hopper, "Egg hopper", 12_050)
    };
    fixture
        .deliver_event(fixture.hopper.0, &ItemEvent::Updated(sold_out))
        .await;
    assert_eq!(
        quote(&fixture, &fixture.cart()).await.problem(409),
        "Egg hopper is out of stock."
    );
}

#[tokio::test]
async fn a_cart_that_is_not_one_is_refused_with_the_field() {
    let fixture = Fixture::new().await;
    let line = |qty: i64| json!({ "key": fixture.kottu, "qty": qty });
    let lines = |count: usize| vec![line(1); count];
    for (body, field) in [
        (json!({ "orderItem": [] }), "orderItem"),
        (json!({ "orderItem": lines(51) }), "orderItem"),
        (json!({ "orderItem": [line(0)] }), "orderItem[0].qty"),
        (
            json!({ "orderItem": [line(1), line(99)] }),
            "orderItem[1].qty",
        ),
        (json!({ "orderItem": [line(1 << 40)] }), "orderItem[0].qty"),
        (
            json!({ "orderItem": [{ "key": "kottu", "qty": 1 }] }),
            "orderItem[0].key",
        ),
        (json!({ "orderItem": "kottu" }), "orderItem"),
    ] {
        let answer = quote(&fixture, &body).await;
        assert!(
            answer.body["fields"].get(field).is_some(),
            "{body}: {}",
            answer.text
        );
        answer.problem(422);
    }
    fixture
        .app
        .post("/api/v1/orders/quote")
        .raw("{\"orderItem\": [")
        .await
        .problem(400);
    quote(&fixture, &json!({ "orderItem": lines(50) }))
        .await
        .expect(200);
}

#[tokio::test]
async fn a_paused_restaurant_takes_no_orders_until_its_pause_ends_by_itself_or_it_opens() {
    let fixture = Fixture::with_clock(Clock::manual(datetime!(2026-11-21 13:30 UTC))).await;
    let restaurant = RestaurantRefV1 {
        restaurant_id: fixture.restaurant,
        owner_id: fixture.owner,
    };
    let pause = async || {
        let paused = RestaurantEvent::Paused(RestaurantPausedV1 {
            restaurant: restaurant.clone(),
            until: fixture.clock.now() + Duration::minutes(30),
        });
        fixture.deliver_event(fixture.restaurant.0, &paused).await;
    };
    pause().await;
    let said = "The restaurant takes no orders until 19:30.";
    let refused = quote(&fixture, &fixture.cart()).await;
    assert_eq!(refused.body["code"], "order.restaurant-paused");
    assert_eq!(refused.problem(409), said);
    let refused = fixture.checkout(&fixture.cart()).await;
    assert_eq!(refused.problem(409), said);
    fixture.clock.advance(Duration::minutes(30));
    quote(&fixture, &fixture.cart()).await.expect(200);
    pause().await;
    quote(&fixture, &fixture.cart()).await.problem(409);
    let opened = RestaurantEvent::Opened(restaurant.clone());
    fixture.deliver_event(fixture.restaurant.0, &opened).await;
    quote(&fixture, &fixture.cart()).await.expect(200);
}
