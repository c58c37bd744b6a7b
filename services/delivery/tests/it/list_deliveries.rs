use serde_json::{Value, json};
use tiffin_events::{
    Role, UserId,
    user::{UserEvent, UserRefV1},
};
use tiffin_testkit::tables_with;

use crate::fixture::Fixture;

#[tokio::test]
async fn a_delivery_shows_its_order_its_people_and_three_places() {
    let fixture = Fixture::new().await;
    let order = fixture.placed().await;
    fixture
        .confirmed(&order, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    let mut delivery = fixture.list(&fixture.customer()).await[0].clone();
    for moment in [
        "_id",
        "ticketId",
        "estimatedTime",
        "promisedTime",
        "timestamp",
    ] {
        assert!(delivery[moment].is_string(), "{moment}");
        delivery.as_object_mut().unwrap().remove(moment);
    }
    assert_eq!(
        delivery,
        json!({
            "orderId": order.order_code, "orderName": "Chicken kottu", "address": "12 Galle Road, Colombo 03",
            "driverId": fixture.driver, "driverName": "Sunil Perera", "driverPhone": "+94771234567",
            "driverEmail": "sunil@example.com", "status": "picked up", "declined": false,
            "itemImage": "/images/kottu.webp", "customerEmail": "nimal@example.com", "phone": "+94771234567", "lat": 0.0, "lng": 0.0,
            "earliestArrival": null, "latestArrival": null, "destLat": 6.9061, "destLng": 79.8522, "restaurantLat": 6.8935, "restaurantLng": 79.8525,
            "price": 950, "total": 1900, "qty": 2,
        })
    );
}

#[tokio::test]
async fn everybody_sees_their_own_and_an_administrator_all() {
    let fixture = Fixture::new().await;
    let delivery = fixture.delivery().await;
    fixture.delivery().await;
    let stranger = UserId(fixture.clock.new_id());
    for (token, count) in [
        (fixture.customer(), 2),
        (fixture.owner(), 2),
        (fixture.driver(), 2),
        (fixture.admin(), 2),
        (fixture.token(fixture.other_driver, Role::Delivery), 0),
        (fixture.token(stranger, Role::Customer), 0),
        (fixture.token(stranger, Role::Restaurant), 0),
    ] {
        assert_eq!(fixture.list(&token).await.as_array().unwrap().len(), count);
    }
    let first = fixture
        .app
        .get("/api/v1/delivery?limit=1")
        .token(&fixture.owner())
        .await;
    let link = first.header("link").unwrap();
    assert_ne!(first.expect(200)[0]["_id"], delivery["_id"], "newest first");
    let next = link[1..].split_once('>').unwrap().0.to_owned();
    assert_eq!(
        fixture
            .app
            .get(&next)
            .token(&fixture.owner())
            .await
            .expect(200)[0]["_id"],
        delivery["_id"]
    );
    fixture.app.get("/api/v1/delivery").await.problem(401);
}

#[tokio::test]
async fn the_location_is_for_the_same_people() {
    let fixture = Fixture::new().await;
    let delivery = fixture.delivery().await;
    assert_eq!(
        fixture.location(&delivery).await,
        json!({ "lat": 0.0, "lng": 0.0, "at": null })
    );
    fixture
        .set_location(&delivery, 6.9, 79.85)
        .await
        .expect(200);
    let location = fixture.location(&delivery).await;
    assert_eq!(
        (&location["lat"], &location["lng"]),
        (&json!(6.9), &json!(79.85))
    );
    let by_order = format!(
        "/api/v1/delivery/loc/{}",
        delivery["orderId"].as_str().unwrap()
    );
    assert_eq!(
        fixture
            .app
            .get(&by_order)
            .token(&fixture.owner())
            .await
            .expect(200),
        location
    );
    let stranger = fixture.token(UserId(fixture.clock.new_id()), Role::Customer);
    fixture
        .app
        .get(&by_order)
        .token(&stranger)
        .await
        .problem(404);
    fixture.app.get(&by_order).await.problem(401);
    fixture
        .app
        .get("/api/v1/delivery/loc/nowhere")
        .token(&fixture.admin())
        .await
        .problem(404);
}

#[tokio::test]
async fn a_closed_account_has_no_name() {
    let fixture = Fixture::new().await;
    let delivery = fixture.delivery().await;
    sqlx::query("update deliveries set lat = 6.8877, lng = 79.8599, position_at = now()")
        .execute(&fixture.db.pool)
        .await
        .unwrap();
    let personal = ["12 Galle Road", "79.8522", "79.8599", "Nimal", "sunil@"];
    for mark in personal {
        let found = tables_with(&fixture.db.pool, mark).await;
        assert!(!found.is_empty(), "{mark}");
    }
    for (user_id, role) in [
        (fixture.customer, Role::Customer),
        (fixture.driver, Role::Delivery),
    ] {
        fixture
            .deliver_event(user_id.0, &UserEvent::Deleted(UserRefV1 { user_id, role }))
            .await;
    }
    // Its consumer may be late with an order.
    fixture.placed().await;
    for mark in personal {
        let found = tables_with(&fixture.db.pool, mark).await;
        assert!(found.is_empty(), "{mark} in {found:?}");
    }
    let order_code = delivery["orderId"].as_str().unwrap();
    let found = tables_with(&fixture.db.pool, order_code).await;
    assert!(found.contains(&"public.orders".to_owned()), "{found:?}");
    let delivery = fixture.list(&fixture.owner()).await[0].clone();
    assert_eq!(delivery["customerEmail"], "");
    for field in ["phone", "driverName", "driverPhone", "driverEmail"] {
        assert_eq!(delivery[field], Value::Null, "{field}");
    }
}

#[tokio::test]
async fn those_under_way_can_be_had_alone() {
    let fixture = Fixture::new().await;
    let brought = fixture.delivery().await;
    let first = fixture.delivery().await;
    let second = fixture.delivery().await;
    fixture.set_status(&brought, "delivered").await.expect(200);
    let mut path = "/api/v1/delivery?underWay=true&limit=1".to_owned();
    for expected in [&second, &first] {
        let answer = fixture.app.get(&path).token(&fixture.admin()).await;
        path = answer.header("link").unwrap_or_default();
        assert_eq!(answer.expect(200)[0]["_id"], expected["_id"]);
        path = path
            .trim_start_matches('<')
            .split('>')
            .next()
            .unwrap()
            .to_owned();
    }
    assert_eq!(path, "", "the last page names no next");
}

#[tokio::test]
async fn deliveries_are_found_by_status_and_by_their_content() {
    let fixture = Fixture::new().await;
    let brought = fixture.delivery().await;
    let other = fixture.delivery().await;
    fixture.set_status(&brought, "on the way").await.expect(200);
    let code = other["orderId"].as_str().unwrap().to_lowercase();
    let list = async |query: &str, token: &str| {
        let call = fixture.app.get(&format!("/api/v1/delivery?{query}"));
        let found = call.token(token).await.expect(200);
        let ids = found.as_array().unwrap().iter();
        ids.map(|found| found["_id"].clone()).collect::<Vec<_>>()
    };
    let both = [other["_id"].clone(), brought["_id"].clone()];
    for (query, expected) in [
        ("status=on%20the%20way", &both[1..]),
        ("status=picked%20up", &both[..1]),
        ("status=delivered", &[]),
        ("q=KOTTU", &both[..]),
        ("q=sunil+per", &both[..]),
        ("q=nimal%40example", &both[..]),
        ("q=%25", &[]),
        (&format!("q={code}"), &both[..1]),
        ("q=kottu&status=on%20the%20way&underWay=true", &both[1..]),
    ] {
        assert_eq!(list(query, &fixture.admin()).await, expected, "{query}");
    }
    let stranger = fixture.token(UserId(fixture.clock.new_id()), Role::Customer);
    assert!(list("q=kottu", &stranger).await.is_empty());
    let first = fixture.app.get("/api/v1/delivery?q=kottu&limit=1");
    let link = first.token(&fixture.admin()).await.header("link").unwrap();
    let next = link[1..].split_once('>').unwrap().0.to_owned();
    let second = fixture
        .app
        .get(&next)
        .token(&fixture.admin())
        .await
        .expect(200);
    assert_eq!(second[0]["_id"], brought["_id"]);
    let long = format!("q={}", "x".repeat(101));
    for wrong in [
        "status=lost",
        "q=%00",
        "limit=x",
        "cursor=x",
        "underWay=7",
        &long,
    ] {
        let call = fixture.app.get(&format!("/api/v1/delivery?{wrong}"));
        call.token(&fixture.admin()).await.problem(422);
    }
}

#[tokio::test]
async fn deliveries_are_counted_for_those_who_see_them() {
    let fixture = Fixture::new().await;
    let brought = fixture.delivery().await;
    fixture.delivery().await;
    fixture.delivery().await;
    fixture.set_status(&brought, "delivered").await.expect(200);
    let counts = async |token: &str| {
        let call = fixture.app.get("/api/v1/delivery/counts").token(token);
        call.await.expect(200)
    };
    let all = json!({"pickedUp": 2, "onTheWay": 0, "delivered": 1, "drivers": 1});
    assert_eq!(counts(&fixture.admin()).await, all);
    assert_eq!(counts(&fixture.driver()).await, all);
    let none = json!({"pickedUp": 0, "onTheWay": 0, "delivered": 0, "drivers": 0});
    let other = fixture.token(fixture.other_driver, Role::Delivery);
    assert_eq!(counts(&other).await, none);
    fixture
        .app
        .get("/api/v1/delivery/counts")
        .await
        .problem(401);
}
