//! The deliveries of a ticket move as one.

use serde_json::{Value, json};
use tiffin_events::{Role, UserId, order::OrderRefV1};
use tiffin_testkit::Answer;
use tokio::task::JoinSet;

use crate::fixture::Fixture;

async fn step(fixture: &Fixture, order: &OrderRefV1, body: &Value) -> Answer {
    let path = format!("/api/v1/delivery/ticket/{}", order.order_code);
    fixture
        .app
        .put(&path)
        .token(&fixture.driver())
        .json(body)
        .await
}

/// A column of the deliveries, the first one in front.
async fn column(fixture: &Fixture, name: &str) -> Vec<Value> {
    let rows = fixture.list(&fixture.customer()).await;
    let rows = rows.as_array().unwrap().iter().rev();
    rows.map(|row| row[name].clone()).collect()
}

async fn path_of(fixture: &Fixture, order: &OrderRefV1, call: &str) -> String {
    let rows = fixture.list(&fixture.customer()).await;
    let rows = rows.as_array().unwrap();
    let row = rows.iter().find(|row| row["orderId"] == order.order_code);
    let id = row.unwrap()["_id"].as_str().unwrap().to_owned();
    format!("/api/v1/delivery/{call}/{id}")
}

#[tokio::test]
async fn one_call_moves_all_deliveries_of_a_ticket() {
    let fixture = Fixture::new().await;
    let orders = fixture.ticket(3).await;
    let other = fixture.ticket(1).await;
    for status in ["on the way", "delivered", "on the way", "picked up"] {
        let answer = step(&fixture, &orders[1], &json!({ "status": status }))
            .await
            .expect(200);
        assert_eq!(
            answer["message"],
            format!("Delivery status updated to {status}")
        );
        let moved = answer["deliveries"].as_array().unwrap();
        assert_eq!(moved.len(), 3);
        assert!(
            moved.iter().all(|delivery| delivery["status"] == status),
            "{moved:?}"
        );
    }
    assert_eq!(column(&fixture, "status").await, ["picked up"; 4]);
    assert_eq!(fixture.events().await.len(), 12);
    step(&fixture, &other[0], &json!({ "status": "delivered" }))
        .await
        .expect(200);
    let status = column(&fixture, "status").await;
    assert_eq!(status, ["picked up", "picked up", "picked up", "delivered"]);
}

#[tokio::test]
async fn the_deliveries_of_a_ticket_name_the_first_one() {
    let fixture = Fixture::new().await;
    let orders = fixture.ticket(3).await;
    fixture.ticket(1).await;
    let (ids, tickets) = (
        column(&fixture, "_id").await,
        column(&fixture, "ticketId").await,
    );
    assert_eq!(
        tickets,
        [
            ids[0].clone(),
            ids[0].clone(),
            ids[0].clone(),
            ids[3].clone()
        ]
    );
    // Another driver's delivery is another ride.
    let time = fixture.half_an_hour_from_now();
    fixture
        .confirmed(&orders[1], fixture.other_driver, time)
        .await;
    let tickets = column(&fixture, "ticketId").await;
    assert_eq!(
        tickets[..3],
        [ids[0].clone(), ids[1].clone(), ids[0].clone()]
    );
    step(&fixture, &orders[0], &json!({ "status": "on the way" }))
        .await
        .expect(200);
    let status = column(&fixture, "status").await;
    assert_eq!(status[..3], ["on the way", "picked up", "on the way"]);
}

#[tokio::test]
async fn a_single_delivery_moves_alone_and_a_late_call_leaves_it_there() {
    let fixture = Fixture::new().await;
    let orders = fixture.ticket(3).await;
    let path = path_of(&fixture, &orders[0], "update").await;
    let body = json!({ "status": "delivered" });
    fixture
        .app
        .put(&path)
        .token(&fixture.driver())
        .json(&body)
        .await
        .expect(200);
    assert_eq!(
        column(&fixture, "status").await,
        ["delivered", "picked up", "picked up"]
    );
    // The phone had no network, and names the delivery that was the first one.
    let body = json!({ "status": "on the way", "from": "picked up" });
    step(&fixture, &orders[0], &body).await.expect(200);
    assert_eq!(
        column(&fixture, "status").await,
        ["delivered", "on the way", "on the way"]
    );
    let late = json!({ "status": "on the way", "from": "picked up" });
    step(&fixture, &orders[0], &late).await.expect(200);
    let body = json!({ "status": "delivered", "from": "on the way" });
    step(&fixture, &orders[0], &body).await.expect(200);
    assert_eq!(column(&fixture, "status").await, ["delivered"; 3]);
    step(&fixture, &orders[0], &late).await.problem(409);
    let (delivered, on_the_way) = (
        "tiffin.delivery.delivered.v1",
        "tiffin.delivery.on_the_way.v1",
    );
    assert_eq!(
        fixture.events().await,
        [delivered, on_the_way, on_the_way, delivered, delivered]
    );
}

#[tokio::test]
async fn a_repeated_call_has_one_effect() {
    let fixture = Fixture::new().await;
    let orders = fixture.ticket(2).await;
    let call = async |status: &str, key: &str| {
        let path = format!("/api/v1/delivery/ticket/{}", orders[0].order_code);
        let call = fixture.app.put(&path).token(&fixture.driver());
        call.header("idempotency-key", key)
            .json(&json!({ "status": status }))
            .await
    };
    let first = call("on the way", "a").await.expect(200);
    call("delivered", "b").await.expect(200);
    let again = call("on the way", "a").await;
    assert_eq!(again.header("idempotent-replayed").as_deref(), Some("true"));
    assert_eq!(again.expect(200), first);
    call("delivered", "a").await.problem(422);
    assert_eq!(fixture.events().await.len(), 4);
}

#[tokio::test]
async fn steps_at_once_leave_all_with_one_status() {
    let fixture = Fixture::new().await;
    let orders = fixture.ticket(3).await;
    let mut calls = JoinSet::new();
    for n in 0..30 {
        let status = ["on the way", "delivered", "picked up"][n % 3];
        let path = format!("/api/v1/delivery/ticket/{}", orders[n / 3 % 3].order_code);
        let body = json!({ "status": status });
        let call = fixture.app.put(&path).token(&fixture.driver()).json(&body);
        calls.spawn(async { call.await.expect(200) });
    }
    calls.join_all().await;
    let status = column(&fixture, "status").await;
    assert!(status.iter().all(|one| *one == status[0]), "{status:?}");
}

#[tokio::test]
async fn a_driver_declines_the_whole_ticket() {
    let fixture = Fixture::new().await;
    let orders = fixture.ticket(3).await;
    let path = path_of(&fixture, &orders[1], "decline").await;
    for _ in 0..2 {
        fixture
            .app
            .post(&path)
            .token(&fixture.driver())
            .await
            .expect(200);
    }
    let rows = fixture.list(&fixture.owner()).await;
    let rows = rows.as_array().unwrap();
    assert!(rows.iter().all(|row| row["declined"] == true), "{rows:?}");
    assert_eq!(fixture.events().await, ["tiffin.suggestion.declined.v1"; 3]);
}

#[tokio::test]
async fn a_ticket_arrives_at_one_time() {
    let fixture = Fixture::new().await;
    let checkout = fixture.ticket(2).await[0].checkout_id;
    fixture.forecast().await;
    let ranges = async || {
        let earliest = column(&fixture, "earliestArrival").await;
        earliest
            .into_iter()
            .zip(column(&fixture, "latestArrival").await)
            .collect::<Vec<_>>()
    };
    let first = ranges().await;
    assert!(first[0].0.is_string() && first[0] == first[1], "{first:?}");
    // One that is confirmed later arrives with them.
    let late = fixture
        .placed_in(checkout, fixture.restaurant, fixture.owner)
        .await;
    fixture
        .confirmed(&late, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    fixture.forecast().await;
    let joined = ranges().await;
    assert!(joined.iter().all(|range| *range == joined[0]), "{joined:?}");

    fixture.put_driver(6.8935, 79.8525).await;
    step(&fixture, &late, &json!({ "status": "on the way" }))
        .await
        .expect(200);
    fixture.forecast().await;
    let set_out = ranges().await;
    assert!(
        set_out.iter().all(|range| *range == set_out[0]),
        "{set_out:?}"
    );
    assert_ne!(set_out[0], joined[0]);
}

#[tokio::test]
async fn only_its_driver_and_administrators_move_it() {
    let fixture = Fixture::new().await;
    let orders = fixture.ticket(2).await;
    let path = format!("/api/v1/delivery/ticket/{}", orders[0].order_code);
    let body = json!({ "status": "on the way" });
    let stranger = fixture.token(UserId(fixture.clock.new_id()), Role::Delivery);
    for (token, status) in [
        (stranger, 404),
        (fixture.owner(), 403),
        (fixture.customer(), 403),
    ] {
        fixture
            .app
            .put(&path)
            .token(&token)
            .json(&body)
            .await
            .problem(status);
    }
    fixture
        .app
        .put(&path)
        .token(&fixture.admin())
        .json(&body)
        .await
        .expect(200);
}
