//! The precision with which owners see drivers.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tiffin_events::{
    Role, UserId,
    restaurant::{RestaurantEvent, RestaurantRefV1},
};
use uuid::Uuid;

use crate::fixture::{Fixture, restaurant};

const OWNER: UserId = UserId(Uuid::from_u128(5));
const RESTAURANT_PLACE: (f64, f64) = (6.9271, 79.8612);

async fn seen_by_owner(fixture: &Fixture, query: &str) -> Value {
    let call = fixture.app.get(&format!("/api/v1/driver{query}"));
    let call = call.token(&fixture.token(OWNER, Role::Restaurant));
    call.await.expect(200)
}

async fn driver(fixture: &Fixture, email: &str) -> UserId {
    let id = fixture.register(email).await;
    fixture.update(id, json!({"isAvailable": true})).await;
    id
}

#[tokio::test]
async fn who_owns_no_verified_restaurant_sees_no_driver() {
    let fixture = Fixture::start().await;
    let one = driver(&fixture, "one@example.com").await;
    fixture
        .deliver_position(one, RESTAURANT_PLACE.0, RESTAURANT_PLACE.1, 0)
        .await;
    let near = "?near=6.9271,79.8612";
    let nothing = json!([]);
    for query in ["", near, "?available=true", "?limit=1"] {
        assert_eq!(seen_by_owner(&fixture, query).await, nothing, "{query}");
    }
    let owner = UserId(Uuid::from_u128(6));
    fixture
        .create_restaurant(owner, true, RESTAURANT_PLACE)
        .await;
    let shop = fixture
        .create_restaurant(OWNER, false, RESTAURANT_PLACE)
        .await;
    assert_eq!(seen_by_owner(&fixture, near).await, nothing);

    let whose = RestaurantRefV1 {
        restaurant_id: shop,
        owner_id: OWNER,
    };
    let verified = RestaurantEvent::Verified(whose.clone());
    fixture.deliver_restaurant_event(shop, 2, verified).await;
    assert_eq!(seen_by_owner(&fixture, near).await[0]["id"], json!(one));
    let moved = restaurant(shop, OWNER, true, (7.0, 79.9));
    fixture
        .deliver_restaurant_event(shop, 3, RestaurantEvent::Updated(moved))
        .await;
    assert_eq!(seen_by_owner(&fixture, "").await[0]["distance"], 5_000);
    fixture
        .deliver_restaurant_event(shop, 4, RestaurantEvent::Deleted(whose))
        .await;
    assert_eq!(seen_by_owner(&fixture, near).await, nothing);
}

#[tokio::test]
async fn owners_see_first_name_vehicle_and_a_coarse_distance_and_nothing_else() {
    let fixture = Fixture::start().await;
    fixture
        .create_restaurant(OWNER, true, RESTAURANT_PLACE)
        .await;
    let one = driver(&fixture, "one@example.com").await;
    fixture.register("busy@example.com").await;
    fixture.deliver_position(one, 6.9271, 79.88, 0).await;
    assert_eq!(
        seen_by_owner(&fixture, "").await,
        json!([{
            "_id": one,
            "id": one,
            "email": "",
            "firstName": "Kasun",
            "lastName": "",
            "address": null,
            "phone": null,
            "image": null,
            "vehicleType": "Bike",
            "drNic": "",
            "isAvailable": true,
            "role": "delivery",
            "distance": 2_000,
        }])
    );
}

#[tokio::test]
async fn seventy_probes_lead_no_closer_than_a_square_kilometre() {
    let fixture = Fixture::start().await;
    fixture
        .create_restaurant(OWNER, true, RESTAURANT_PLACE)
        .await;
    let one = driver(&fixture, "one@example.com").await;
    fixture.deliver_position(one, 6.9331, 79.8712, 0).await;
    let mut published = BTreeSet::new();
    for probe in 0..70 {
        let (row, column) = (f64::from(probe / 10), f64::from(probe % 10));
        let near = format!(
            "?near={},{}",
            6.93 + row / 1_000.0,
            79.865 + column / 1_000.0
        );
        let list = seen_by_owner(&fixture, &near).await;
        published.insert(list[0]["distance"].as_i64().unwrap());
    }
    assert_eq!(
        published.len(),
        1,
        "the place asked about changes nothing: {published:?}"
    );
}

#[tokio::test]
async fn restaurants_moved_about_tell_one_place_of_a_cell_from_no_other() {
    let fixture = Fixture::start().await;
    let shop = fixture
        .create_restaurant(OWNER, true, RESTAURANT_PLACE)
        .await;
    let one = driver(&fixture, "one@example.com").await;
    let far = fixture.create_restaurant(OWNER, true, (8.0, 80.5)).await;
    // Two places 600 m apart that share a cell; the distances are from its middle.
    let height = 1.0 / 111.195;
    let south = f64::floor(6.93 / height) * height;
    let width = height / (south + height / 2.0).to_radians().cos();
    let west = f64::floor(79.87 / width) * width;
    let (mut answers, mut sequence) = (Vec::new(), 1);
    for (at, part) in [(10, 0.3), (30, 0.7)] {
        fixture
            .deliver_position(one, south + part * height, west + part * width, at)
            .await;
        let mut published = Vec::new();
        for step in 0..20 {
            let place = (
                6.90 + f64::from(step) * 0.003,
                79.85 + f64::from(step) * 0.002,
            );
            let moved = restaurant(shop, OWNER, true, place);
            sequence += 1;
            fixture
                .deliver_restaurant_event(shop, sequence, RestaurantEvent::Updated(moved))
                .await;
            let near = format!("?near={},{}", place.0, place.1);
            published.push(seen_by_owner(&fixture, &near).await[0]["distance"].clone());
        }
        answers.push(published);
    }
    assert_eq!(answers[0], answers[1]);
    assert!(
        answers[0]
            .iter()
            .any(|published| *published != answers[0][0]),
        "{answers:?}"
    );
    // The owner's other restaurant is far from all of them.
    let list = seen_by_owner(&fixture, "?near=8.0,80.5").await;
    assert_eq!(list[0]["distance"], 5_000, "{far}");
}
