//! Suggested drivers, their picks, and their refusals.

use serde_json::{Value, json};
use tiffin_events::{
    RestaurantId, Role, UserId,
    driver::{DriverEvent, DriverRefV1},
    order::OrderRefV1,
    restaurant::RestaurantEvent,
    user::{UserEvent, UserRefV1},
};
use tiffin_testkit::{Answer, drain_rows};

use crate::fixture::Fixture;

/// An order at a restaurant of another owner.
async fn neighbours_order(fixture: &Fixture) -> OrderRefV1 {
    let owner = UserId(fixture.clock.new_id());
    let id = RestaurantId(fixture.clock.new_id());
    let restaurant = RestaurantEvent::Created(Fixture::restaurant_of(id, owner));
    fixture.deliver_event(id.0, &restaurant).await;
    fixture.placed_at(id, owner).await
}

async fn call(fixture: &Fixture, token: &str, verb: &str, order: &OrderRefV1) -> Answer {
    let path = format!("/api/v1/delivery/{verb}/{}", order.order_code);
    fixture.app.post(&path).token(token).await
}

/// The suggestions that the order's owner gets.
async fn suggestions(fixture: &Fixture, order: &OrderRefV1) -> Value {
    let owner = fixture.token(order.owner_id, Role::Restaurant);
    call(fixture, &owner, "suggest", order).await.expect(200)
}

async fn pick(fixture: &Fixture, order: &OrderRefV1, driver: UserId, body: Value) -> Answer {
    let mut body = body;
    body["driverId"] = json!(driver);
    let path = format!("/api/v1/delivery/pick/{}", order.order_code);
    let owner = fixture.token(order.owner_id, Role::Restaurant);
    fixture.app.post(&path).token(&owner).json(&body).await
}

fn drivers(suggestions: &Value) -> Vec<Value> {
    let drivers = suggestions["drivers"].as_array().unwrap();
    drivers.iter().map(|it| it["driverId"].clone()).collect()
}

/// The suggested driver, and why.
fn reason_of(suggestions: &Value, driver: UserId) -> Value {
    let drivers = suggestions["drivers"].as_array().unwrap();
    let found = drivers.iter().find(|it| it["driverId"] == json!(driver));
    found.unwrap()["reason"].clone()
}

#[tokio::test]
async fn drivers_who_take_deliveries_are_suggested_and_only_another_choice_is_an_event() {
    let fixture = Fixture::new().await;
    let order = fixture.placed().await;
    assert_eq!(suggestions(&fixture, &order).await["drivers"], json!([]));
    assert_eq!(fixture.events().await, [""; 0]);
    fixture.available(fixture.driver).await;
    fixture.available(fixture.other_driver).await;
    let both = suggestions(&fixture, &order).await;
    assert_eq!(drivers(&both).len(), 2, "{both}");
    assert_eq!(both["orderId"], json!(order.order_code));
    let first = &both["drivers"][0];
    assert_eq!(first["reason"]["code"], "place_unknown");
    assert_eq!(first["vehicleType"], "Bike");
    assert!(first["minutes"].as_i64().unwrap() > 0, "{first}");
    assert!(!both.to_string().contains("Perera"), "{both}");
    assert_eq!(fixture.events().await, ["tiffin.suggestion.made.v1"]);
    assert_eq!(
        drivers(&suggestions(&fixture, &order).await),
        drivers(&both)
    );
    assert!(fixture.events().await.is_empty());

    let gone = DriverRefV1 {
        driver_id: fixture.driver,
    };
    fixture
        .deliver_event(fixture.driver.0, &DriverEvent::Unavailable(gone))
        .await;
    let blocked = UserRefV1 {
        user_id: fixture.other_driver,
        role: Role::Delivery,
    };
    fixture
        .deliver_event(fixture.other_driver.0, &UserEvent::Blocked(blocked.into()))
        .await;
    assert_eq!(suggestions(&fixture, &order).await["drivers"], json!([]));
}

#[tokio::test]
async fn only_the_owner_of_a_verified_restaurant_gets_suggestions_for_its_orders() {
    let fixture = Fixture::new().await;
    fixture.available(fixture.driver).await;
    let order = fixture.placed().await;
    let other = fixture.token(UserId(fixture.clock.new_id()), Role::Restaurant);
    for verb in ["suggest", "pick", "decline"] {
        let path = format!("/api/v1/delivery/{verb}/{}", order.order_code);
        let body = json!({ "driverId": fixture.driver, "suggestedAt": "2026-11-26T12:00:00Z" });
        let answer = fixture.app.post(&path).token(&fixture.customer());
        answer.json(&body).await.problem(403);
        let status = if verb == "decline" { 403 } else { 404 };
        let answer = fixture.app.post(&path).token(&other).json(&body).await;
        answer.problem(status);
    }
    let mut restaurant = Fixture::restaurant_of(fixture.restaurant, fixture.owner);
    restaurant.verified = false;
    fixture
        .deliver_event(fixture.restaurant.0, &RestaurantEvent::Updated(restaurant))
        .await;
    assert_eq!(suggestions(&fixture, &order).await["drivers"], json!([]));
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn a_street_is_named_for_the_owners_own_orders_alone() {
    let fixture = Fixture::new().await;
    fixture.available(fixture.driver).await;
    let foreign = neighbours_order(&fixture).await;
    let delivery = fixture.delivery().await;
    fixture
        .set_status(&delivery, "on the way")
        .await
        .expect(200);
    fixture.put_driver(6.9061, 79.8522).await;
    let own = fixture.placed().await;
    let seen = reason_of(&suggestions(&fixture, &own).await, fixture.driver);
    assert_eq!(seen["code"], "brings_first");
    assert_eq!(seen["address"], "12 Galle Road, Colombo 03");
    assert!(seen["minutes"].as_i64().unwrap() > 0, "{seen}");
    let seen = reason_of(&suggestions(&fixture, &foreign).await, fixture.driver);
    let hidden = json!({ "code": "brings_first", "address": null, "minutes": null });
    assert_eq!(seen, hidden);
}

#[tokio::test]
async fn minutes_are_the_same_wherever_in_its_square_kilometre_a_driver_is() {
    let fixture = Fixture::new().await;
    fixture.available(fixture.driver).await;
    let _ = fixture.delivery().await;
    let foreign = neighbours_order(&fixture).await;
    let mut answers = Vec::new();
    // Some 800 metres in one cell, so far away that the ride decides and not the kitchen.
    for (lat, lng) in [(6.9970, 79.8522), (7.0010, 79.8532), (7.0054, 79.8512)] {
        fixture.put_driver(lat, lng).await;
        let mut answer = suggestions(&fixture, &foreign).await;
        answer["suggestedAt"].take();
        answers.push(answer);
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:#?}");
}

#[tokio::test]
async fn two_owners_never_get_one_driver_without_knowing() {
    let fixture = Fixture::new().await;
    fixture.available(fixture.driver).await;
    let order = fixture.placed().await;
    let foreign = neighbours_order(&fixture).await;
    let mine = suggestions(&fixture, &order).await;
    let theirs = suggestions(&fixture, &foreign).await;
    fixture.events().await;
    let at = |suggestions: &Value| json!({ "suggestedAt": suggestions["suggestedAt"] });
    let (one, other) = tokio::join!(
        pick(&fixture, &order, fixture.driver, at(&mine)),
        pick(&fixture, &foreign, fixture.driver, at(&theirs)),
    );
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(fixture.events().await, ["tiffin.suggestion.picked.v1"]);
    let (refused, late, since) = if one.status == 409 {
        (one, &order, at(&mine))
    } else {
        (other, &foreign, at(&theirs))
    };
    assert_eq!(refused.body["code"], "delivery.driver-taken");
    // The suggestions count the other restaurant's order, and who knows of it may pick.
    let again = suggestions(&fixture, late).await;
    let reason = reason_of(&again, fixture.driver);
    assert_ne!(reason["code"], "place_unknown", "{again}");
    let mut knowingly = since;
    knowingly["knowingly"] = json!(true);
    pick(&fixture, late, fixture.driver, knowingly)
        .await
        .expect(200);
    let rows = drain_rows(&fixture.db.pool).await;
    let picked = rows.last().unwrap();
    assert_eq!(picked.body["data"]["knowingly"], true, "{picked:?}");
    assert_eq!(picked.body["data"]["rank"], 1);
    assert_eq!(picked.body["correlationid"], json!(late.order_id));
}

#[tokio::test]
async fn a_driver_whom_another_restaurant_gave_an_order_meanwhile_is_taken_too() {
    let fixture = Fixture::new().await;
    fixture.available(fixture.driver).await;
    let order = fixture.placed().await;
    let foreign = neighbours_order(&fixture).await;
    let seen = suggestions(&fixture, &order).await;
    let at = json!({ "suggestedAt": seen["suggestedAt"] });
    // The owner's own orders go together.
    let own = fixture.placed().await;
    fixture
        .confirmed(&own, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    pick(&fixture, &order, fixture.driver, at.clone())
        .await
        .expect(200);
    fixture
        .confirmed(&foreign, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    for body in [at, json!({})] {
        let refused = pick(&fixture, &order, fixture.driver, body).await;
        assert_eq!(refused.body["code"], "delivery.driver-taken");
        refused.problem(409);
    }
    let seen = suggestions(&fixture, &order).await;
    let at = json!({ "suggestedAt": seen["suggestedAt"] });
    pick(&fixture, &order, fixture.driver, at).await.expect(200);
}

#[tokio::test]
async fn a_declined_order_waits_for_another_driver() {
    let fixture = Fixture::new().await;
    fixture.available(fixture.driver).await;
    fixture.available(fixture.other_driver).await;
    let order = fixture.placed().await;
    fixture
        .confirmed(&order, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    drain_rows(&fixture.db.pool).await;
    let foreign = fixture.token(fixture.other_driver, Role::Delivery);
    call(&fixture, &foreign, "decline", &order)
        .await
        .problem(404);
    for _ in 0..2 {
        let answer = call(&fixture, &fixture.driver(), "decline", &order).await;
        assert_eq!(answer.expect(200)["delivery"]["declined"], true);
    }
    let rows = drain_rows(&fixture.db.pool).await;
    let [declined] = rows.as_slice() else {
        panic!("{rows:?}")
    };
    assert_eq!(declined.body["type"], "tiffin.suggestion.declined.v1");
    assert_eq!(declined.audience, [fixture.owner, fixture.driver]);
    for (reader, is_shown) in [(fixture.owner(), true), (fixture.customer(), false)] {
        assert_eq!(fixture.list(&reader).await[0]["declined"], json!(is_shown));
    }
    let next = suggestions(&fixture, &order).await;
    assert_eq!(drivers(&next), [json!(fixture.other_driver)]);
    fixture
        .confirmed(
            &order,
            fixture.other_driver,
            fixture.half_an_hour_from_now(),
        )
        .await;
    assert_eq!(fixture.list(&fixture.owner()).await[0]["declined"], false);
}

#[tokio::test]
async fn who_has_set_out_or_arrived_declines_no_more() {
    let fixture = Fixture::new().await;
    let order = fixture.placed().await;
    fixture
        .confirmed(&order, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    let delivery = fixture.list(&fixture.driver()).await[0].clone();
    for (status, code) in [
        ("on the way", "delivery.set-out"),
        ("delivered", "delivery.not-under-way"),
    ] {
        fixture.set_status(&delivery, status).await.expect(200);
        let refused = call(&fixture, &fixture.driver(), "decline", &order).await;
        assert_eq!(refused.body["code"], code);
        refused.problem(409);
    }
}
