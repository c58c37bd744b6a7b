use std::collections::BTreeSet;

use serde_json::{Value, json};
use tiffin_events::{Role, item::ItemEvent};
use tiffin_testkit::{drain_outbox, drain_rows, token};
use tokio::task::JoinSet;

use crate::fixture::{Fixture, HOME, uuid};

#[tokio::test]
async fn a_cart_becomes_one_order_a_line_in_one_checkout() {
    let fixture = Fixture::new().await;
    let body = fixture.checkout(&fixture.cart()).await.expect(201);
    assert_eq!(body["message"], "Order placed successfully");
    let [kottu, hopper] = body["orders"].as_array().unwrap().as_slice() else {
        panic!("{body}")
    };
    assert_eq!(
        (
            &kottu["Item_name"],
            &kottu["quantity"],
            &kottu["price"],
            &kottu["totalAmount"]
        ),
        (
            &json!("Chicken kottu"),
            &json!(2),
            &json!(950),
            &json!(1900)
        )
    );
    assert_eq!(hopper["totalAmount"], 120.5);
    assert_eq!(kottu["checkoutId"], hopper["checkoutId"]);
    assert_ne!(kottu["orderId"], hopper["orderId"]);
    let code = kottu["orderId"].as_str().unwrap();
    assert!(code.starts_with("ORD-") && code.len() == 12, "{code}");
    assert_eq!(
        (&kottu["status"], &kottu["isApprove"]),
        (&json!("pending"), &json!(false))
    );
    assert_eq!(
        (&kottu["email"], &kottu["customerName"]),
        (&json!("nimal@example.com"), &json!("Nimal Perera"))
    );
    assert_eq!(
        (&kottu["address"], &kottu["lat"], &kottu["lng"]),
        (&json!(HOME), &json!(6.9061), &json!(79.8522))
    );
    assert_eq!(
        (&kottu["assignedDriver"], &kottu["deliveryId"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(
        fixture.events().await,
        ["tiffin.order.placed.v1", "tiffin.order.placed.v1"]
    );
}

#[tokio::test]
async fn the_audience_is_published_before_the_event() {
    let fixture = Fixture::new().await;
    let orders = fixture.checkout(&fixture.cart()).await.expect(201)["orders"].clone();
    let rows = drain_rows(&fixture.db.pool).await;
    let [entry, event, ..] = rows.as_slice() else {
        panic!("{rows:?}")
    };
    let id = orders[0]["_id"].as_str().unwrap();
    assert_eq!(entry.subject, format!("$KV.audience.order.{id}"));
    assert_eq!(
        entry.body,
        json!({ "users": [fixture.customer, fixture.owner], "driver": null, "active": true,
            "version": 1 })
    );
    assert_eq!(event.subject, format!("tiffin.order.{id}.placed"));
    assert_eq!(event.audience, [fixture.customer, fixture.owner]);
    assert_eq!(event.body["correlationid"], id);
    assert_eq!(event.body["actor"], json!(fixture.customer));
    assert_eq!(event.body["sequence"], 1);
    assert_eq!(event.body["data"]["totalAmount"], 1900);
    assert!(
        !event.body.to_string().contains("nimal@example.com"),
        "names and addresses stay in user events"
    );
}

#[tokio::test]
async fn fifty_presses_of_one_button_make_one_checkout() {
    let fixture = Fixture::new().await;
    let mut presses = JoinSet::new();
    for _ in 0..50 {
        let call = fixture
            .app
            .post("/api/v1/orders")
            .token(&fixture.customer())
            .header("Idempotency-Key", "checkout-1")
            .json(&fixture.cart());
        presses.spawn(async { call.await.expect(201) });
    }
    let answers = presses.join_all().await;
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(fixture.events().await.len(), 2);
    let other = json!({ "orderItem": [{ "key": fixture.kottu, "qty": 3 }] });
    let reused = fixture
        .app
        .post("/api/v1/orders")
        .token(&fixture.customer());
    reused
        .header("Idempotency-Key", "checkout-1")
        .json(&other)
        .await
        .problem(422);
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn without_a_key_every_press_is_a_separate_checkout() {
    let fixture = Fixture::new().await;
    let first = fixture.checkout(&fixture.cart()).await.expect(201);
    let second = fixture.checkout(&fixture.cart()).await.expect(201);
    assert_ne!(
        first["orders"][0]["checkoutId"],
        second["orders"][0]["checkoutId"]
    );
}

#[tokio::test]
async fn prices_that_moved_since_the_quote_are_asked_about_again() {
    let fixture = Fixture::new().await;
    let mut cart = fixture.cart();
    cart["total"] = json!(2020.5);
    fixture.checkout(&cart).await.expect(201);
    fixture.events().await;
    fixture
        .deliver_event(
            fixture.kottu.0,
            &ItemEvent::Updated(fixture.dish(fixture.kottu, "Chicken kottu", 100_000)),
        )
        .await;
    let answer = fixture.checkout(&cart).await;
    assert_eq!(answer.body["quote"]["total"], 2120.5);
    assert_eq!(answer.body["quote"]["orderItem"][0]["price"], 1000);
    answer.problem(409);
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn it_goes_where_the_body_says_or_else_home() {
    let fixture = Fixture::new().await;
    let line = json!([{ "key": fixture.kottu, "qty": 1 }]);
    for (body, address, lat) in [
        (json!({ "orderItem": line }), HOME, 6.9061),
        (json!({ "orderItem": line, "address": "  " }), HOME, 6.9061),
        (json!({ "orderItem": line, "address": HOME }), HOME, 6.9061),
        (
            json!({ "orderItem": line, "address": "1 Fort" }),
            "1 Fort",
            0.0,
        ),
        (
            json!({ "orderItem": line, "address": "1 Fort", "lat": 6.93, "lng": 79.84 }),
            "1 Fort",
            6.93,
        ),
        (
            json!({ "orderItem": line, "lat": 6.93, "lng": 79.84 }),
            HOME,
            6.93,
        ),
    ] {
        let order = fixture.checkout(&body).await.expect(201)["orders"][0].clone();
        assert_eq!(
            (&order["address"], order["lat"].as_f64()),
            (&json!(address), Some(lat)),
            "{body}"
        );
    }
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_with_the_field() {
    let fixture = Fixture::new().await;
    let line = json!([{ "key": fixture.kottu, "qty": 1 }]);
    for (body, field) in [
        (json!({ "orderItem": line, "lat": 91, "lng": 0 }), "lat"),
        (json!({ "orderItem": line, "lat": 6.9 }), "lng"),
        (json!({ "orderItem": line, "lng": 79.8 }), "lat"),
        (
            json!({ "orderItem": line, "address": "x".repeat(501) }),
            "address",
        ),
        (json!({ "orderItem": line, "total": "much" }), "total"),
    ] {
        let answer = fixture.checkout(&body).await;
        assert!(
            answer.body["fields"].get(field).is_some(),
            "{field}: {}",
            answer.text
        );
        answer.problem(422);
    }
    let homeless = tiffin_events::UserId(fixture.clock.new_id());
    let call = fixture
        .app
        .post("/api/v1/orders")
        .token(&fixture.token(homeless, Role::Customer));
    assert_eq!(
        call.json(&fixture.cart()).await.problem(422),
        "Please set your address first."
    );
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn a_dishs_note_goes_to_the_kitchen_and_not_to_the_driver() {
    let fixture = Fixture::new().await;
    let mut cart = fixture.cart();
    let note = "No onions.\nAllergic to peanuts.";
    cart["orderItem"][0]["note"] = json!(format!("  {note} "));
    let orders = fixture.checkout(&cart).await.expect(201)["orders"].clone();
    assert_eq!(orders[0]["note"], note);
    assert_eq!(orders[1]["note"], Value::Null);
    let events = drain_outbox(&fixture.db.pool).await;
    assert_eq!(events[0].data["note"], note);
    assert_eq!(events[1].data.get("note"), None);
    fixture.confirm(&orders[0]).await.expect(200);
    for (token, expected) in [
        (fixture.customer(), json!(note)),
        (fixture.owner(), json!(note)),
        (fixture.admin(), json!(note)),
        (fixture.token(fixture.driver, Role::Delivery), Value::Null),
    ] {
        let rows = fixture.app.get("/api/v1/orders").token(&token).await;
        let rows = rows.expect(200);
        let row = rows.as_array().unwrap().iter();
        let row = row.clone().find(|row| row["_id"] == orders[0]["_id"]);
        assert_eq!(row.unwrap()["note"], expected);
    }
}

#[tokio::test]
async fn a_note_that_is_too_long_is_refused_with_its_line() {
    let fixture = Fixture::new().await;
    let mut cart = fixture.cart();
    cart["orderItem"][1]["note"] = json!("x".repeat(201));
    let answer = fixture.checkout(&cart).await;
    assert_eq!(answer.body["code"], "order.note-too-long");
    assert!(answer.body["fields"].get("orderItem[1].note").is_some());
    assert_eq!(answer.problem(422), "A note has at most 200 characters.");
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn only_customers_with_a_good_token_order() {
    let fixture = Fixture::new().await;
    let place = |token: String| {
        fixture
            .app
            .post("/api/v1/orders")
            .token(&token)
            .json(&fixture.cart())
    };
    for role in [Role::Restaurant, Role::Delivery, Role::Admin] {
        place(fixture.token(fixture.customer, role))
            .await
            .problem(403);
    }
    let good = token(&fixture.clock, fixture.customer, Role::Customer);
    let cut_short = good.sign()[..40].to_owned();
    for bad in [
        cut_short,
        good.tampered(),
        good.clone().expired().sign(),
        good.symmetric().sign(),
    ] {
        place(bad).await.problem(401);
    }
    fixture
        .app
        .post("/api/v1/orders")
        .json(&fixture.cart())
        .await
        .problem(401);
    fixture
        .app
        .post("/api/v1/orders")
        .token(&fixture.customer())
        .raw("{")
        .await
        .problem(400);
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn a_checkout_of_fifty_lines_has_fifty_codes() {
    let fixture = Fixture::new().await;
    let mut lines = Vec::new();
    for n in 0..50 {
        let id = tiffin_events::ItemId(fixture.clock.new_id());
        fixture
            .deliver_event(
                id.0,
                &ItemEvent::Added(fixture.dish(id, &format!("Dish {n}"), 100)),
            )
            .await;
        lines.push(json!({ "key": id, "qty": 1 }));
    }
    let orders = fixture
        .checkout(&json!({ "orderItem": lines }))
        .await
        .expect(201)["orders"]
        .clone();
    let orders = orders.as_array().unwrap();
    let codes: BTreeSet<_> = orders
        .iter()
        .map(|order| order["orderId"].to_string())
        .collect();
    assert_eq!(codes.len(), 50);
    assert!(
        orders
            .iter()
            .zip(&lines)
            .all(|(order, line)| !order["Item_name"].is_null() && line["qty"] == 1)
    );
    assert_eq!(fixture.events().await.len(), 50);
}

#[tokio::test]
async fn ordering_works_before_the_account_is_known_if_the_address_is_given() {
    let fixture = Fixture::new().await;
    let stranger = fixture.token(
        tiffin_events::UserId(fixture.clock.new_id()),
        Role::Customer,
    );
    let mut cart = fixture.cart();
    cart["address"] = json!("1 Fort");
    let order = fixture
        .app
        .post("/api/v1/orders")
        .token(&stranger)
        .json(&cart)
        .await
        .expect(201)["orders"][0]
        .clone();
    assert_eq!(
        (&order["email"], &order["customerName"]),
        (&json!(""), &Value::Null)
    );
    assert_ne!(uuid(&order["_id"]), uuid(&order["checkoutId"]));
}
