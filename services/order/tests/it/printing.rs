//! Tickets on paper: the jobs that confirmations make, and the agents that claim them.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tiffin_events::{Clock, RestaurantId, Role, UserId};
use tiffin_testkit::Answer;
use time::{Duration, macros::datetime};
use uuid::Uuid;

use crate::fixture::{Fixture, uuid};

const JOBS: &str = "/api/v1/orders/print-jobs";

/// A fixture whose restaurant prints.
async fn printing() -> Fixture {
    let fixture = Fixture::with_clock(Clock::manual(datetime!(2026-11-21 12:00 UTC))).await;
    seen(&fixture, Value::Null).await.expect(200);
    fixture
}

/// A call of an agent about its printer.
async fn seen(fixture: &Fixture, problem: Value) -> Answer {
    let body = json!({ "restaurantIds": [fixture.restaurant], "problem": problem });
    let call = fixture.app.put("/api/v1/orders/printing");
    call.token(&fixture.owner()).json(&body).await
}

/// The orders of a checkout of both dishes, the first with a note.
async fn placed(fixture: &Fixture) -> Vec<Value> {
    let mut cart = fixture.cart();
    cart["orderItem"][0]["note"] = json!("No onions.");
    let answer = fixture.checkout(&cart).await.expect(201);
    answer["orders"].as_array().unwrap().clone()
}

async fn claim(fixture: &Fixture, agent: Uuid) -> Value {
    let body = json!({ "agentId": agent, "restaurantIds": [fixture.restaurant] });
    let call = fixture.app.post(&format!("{JOBS}/claim"));
    call.token(&fixture.owner()).json(&body).await.expect(200)["job"].clone()
}

async fn report(fixture: &Fixture, agent: Uuid, job: &Value, outcome: &str) -> Answer {
    let id = job["_id"].as_str().unwrap();
    let body = json!({ "agentId": agent, "outcome": outcome, "problem": null });
    let call = fixture.app.put(&format!("{JOBS}/report/{id}"));
    call.token(&fixture.owner()).json(&body).await
}

async fn reprint(fixture: &Fixture, order: &Value) -> Answer {
    let path = format!(
        "/api/v1/orders/reprint/{}",
        order["orderId"].as_str().unwrap()
    );
    fixture.app.post(&path).token(&fixture.owner()).await
}

/// The state and the problem of the only ticket.
async fn mark(fixture: &Fixture) -> (Value, Value) {
    let marks = fixture.app.get(JOBS).token(&fixture.owner()).await;
    let marks = marks.expect(200);
    let [mark] = marks.as_array().unwrap().as_slice() else {
        panic!("{marks}")
    };
    (mark["state"].clone(), mark["problem"].clone())
}

fn dishes(job: &Value) -> BTreeSet<String> {
    let lines = job["lines"].as_array().unwrap().iter();
    lines
        .map(|line| format!("{} {}", line["quantity"], line["dish"].as_str().unwrap()))
        .collect()
}

fn set(dishes: &[&str]) -> BTreeSet<String> {
    dishes.iter().map(ToString::to_string).collect()
}

#[tokio::test]
async fn a_ticket_is_one_job_with_all_its_dishes() {
    let fixture = printing().await;
    let agent = Uuid::from_u128(1);
    let orders = placed(&fixture).await;
    fixture.confirm(&orders[0]).await.expect(200);
    assert_eq!(claim(&fixture, agent).await, Value::Null, "one is pending");
    fixture.confirm(&orders[1]).await.expect(200);
    let job = claim(&fixture, agent).await;
    assert_eq!(dishes(&job), set(&["2 Chicken kottu", "1 Egg hopper"]));
    let notes: BTreeSet<_> = (0..2)
        .map(|n| job["lines"][n]["note"].to_string())
        .collect();
    assert_eq!(notes, set(&["null", "\"No onions.\""]));
    assert_eq!(job["kind"], "first");
    assert_eq!(job["restaurantName"], "Kottu Corner");
    // Orders of one moment have no order.
    let codes = orders.iter().map(|order| &order["orderId"]);
    assert!(codes.into_iter().any(|code| *code == job["code"]), "{job}");
    assert_eq!(job["more"], 1);
    assert_eq!(job["customer"], "Nimal");
    assert_eq!(job["isPaid"], false);
    // Colombo is 5:30 ahead.
    assert_eq!(
        (&job["placedAt"], &job["dueAt"]),
        (&json!("17:30"), &json!("18:00"))
    );
    assert_eq!(mark(&fixture).await.0, "waiting");
    report(&fixture, agent, &job, "printed").await.expect(200);
    report(&fixture, agent, &job, "printed").await.expect(200);
    assert_eq!(mark(&fixture).await, (json!("printed"), Value::Null));
    assert_eq!(claim(&fixture, agent).await, Value::Null);

    // Steps forth and back ask for no second ticket.
    for status in ["preparing", "pending", "confirmed"] {
        let body = json!({ "status": status });
        fixture.set_status(&orders[0], &body).await.expect(200);
    }
    assert_eq!(claim(&fixture, agent).await, Value::Null);
}

#[tokio::test]
async fn confirmations_at_once_make_one_job() {
    let fixture = printing().await;
    let orders = placed(&fixture).await;
    let clicks = (0..10).flat_map(|_| orders.iter().map(|order| fixture.confirm(order)));
    for answer in join_all(clicks).await {
        answer.expect(200);
    }
    let agent = Uuid::from_u128(1);
    let job = claim(&fixture, agent).await;
    assert_eq!(dishes(&job), set(&["2 Chicken kottu", "1 Egg hopper"]));
    report(&fixture, agent, &job, "printed").await.expect(200);
    assert_eq!(claim(&fixture, agent).await, Value::Null);
}

#[tokio::test]
async fn dishes_that_are_confirmed_late_come_on_a_second_ticket() {
    let fixture = printing().await;
    let agent = Uuid::from_u128(1);
    let orders = placed(&fixture).await;
    fixture.confirm(&orders[0]).await.expect(200);
    fixture.clock.advance(Duration::seconds(20));
    let first = claim(&fixture, agent).await;
    assert_eq!(first["lines"].as_array().unwrap().len(), 1);
    fixture.confirm(&orders[1]).await.expect(200);
    report(&fixture, agent, &first, "printed").await.expect(200);
    assert_eq!(mark(&fixture).await.0, "waiting");
    let added = claim(&fixture, agent).await;
    assert_eq!(added["kind"], "added");
    assert_eq!(added["code"], orders[1]["orderId"]);
    assert_eq!(added["lines"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn agents_never_share_a_ticket() {
    let fixture = printing().await;
    for _ in 0..5 {
        let order = fixture.order().await;
        fixture.confirm(&order).await.expect(200);
    }
    let agents: Vec<_> = (1..=8).map(Uuid::from_u128).collect();
    let jobs = join_all(agents.iter().map(|agent| claim(&fixture, *agent))).await;
    let jobs: Vec<_> = jobs.iter().filter(|job| !job.is_null()).collect();
    let ids: BTreeSet<_> = jobs.iter().map(|job| uuid(&job["_id"])).collect();
    assert_eq!((jobs.len(), ids.len()), (5, 5));
}

#[tokio::test]
async fn an_agent_gets_back_what_it_claimed_and_no_other_agent_does() {
    let fixture = printing().await;
    let (agent, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let order = fixture.order().await;
    fixture.confirm(&order).await.expect(200);
    let job = claim(&fixture, agent).await;
    fixture.clock.advance(Duration::minutes(3));
    assert_eq!(claim(&fixture, other).await, Value::Null);
    assert_eq!(
        mark(&fixture).await,
        (json!("doubtful"), json!("interrupted"))
    );
    assert_eq!(claim(&fixture, agent).await, job);
    report(&fixture, other, &job, "printed").await.problem(409);

    report(&fixture, agent, &job, "unsent").await.expect(200);
    assert_eq!(mark(&fixture).await.0, "waiting");
    let again = claim(&fixture, other).await;
    assert_eq!(again["_id"], job["_id"]);
    report(&fixture, agent, &job, "printed").await.problem(409);
    report(&fixture, other, &job, "doubtful").await.expect(200);
    assert_eq!(mark(&fixture).await.0, "doubtful");
    assert_eq!(claim(&fixture, other).await, Value::Null, "not by itself");
}

#[tokio::test]
async fn a_reprint_comes_once_for_each_asking_and_replaces_what_an_agent_left() {
    let fixture = printing().await;
    let (agent, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let order = fixture.order().await;
    assert_eq!(
        reprint(&fixture, &order).await.problem(409),
        "None of this ticket's orders is confirmed."
    );
    fixture.confirm(&order).await.expect(200);
    claim(&fixture, agent).await;
    for _ in 0..2 {
        reprint(&fixture, &order).await.expect(200);
    }
    let job = claim(&fixture, other).await;
    assert_eq!(job["kind"], "reprint");
    report(&fixture, other, &job, "printed").await.expect(200);
    assert_eq!(mark(&fixture).await.0, "printed");
    for agent in [agent, other] {
        assert_eq!(claim(&fixture, agent).await, Value::Null);
    }
}

#[tokio::test]
async fn what_is_cancelled_or_gone_is_not_printed() {
    let fixture = printing().await;
    let agent = Uuid::from_u128(1);
    let orders = placed(&fixture).await;
    for order in &orders {
        fixture.confirm(order).await.expect(200);
    }
    let path = |order: &Value| {
        let code = order["orderId"].as_str().unwrap();
        format!("/api/v1/orders/cancel/{code}")
    };
    let cancel = async |order: &Value| {
        let call = fixture.app.post(&path(order)).token(&fixture.owner());
        call.json(&json!({})).await.expect(200);
    };
    cancel(&orders[0]).await;
    let job = claim(&fixture, agent).await;
    assert_eq!(job["lines"].as_array().unwrap().len(), 1);
    report(&fixture, agent, &job, "unsent").await.expect(200);
    cancel(&orders[1]).await;
    assert_eq!(claim(&fixture, agent).await, Value::Null);

    let order = fixture.order().await;
    for status in ["confirmed", "dispatched"] {
        let body = json!({ "status": status, "driverId": fixture.driver });
        fixture.set_status(&order, &body).await.expect(200);
    }
    assert_eq!(claim(&fixture, agent).await, Value::Null, "it has left");
    reprint(&fixture, &order).await.expect(200);
    assert_eq!(claim(&fixture, agent).await["kind"], "reprint");
}

#[tokio::test]
async fn a_restaurant_without_an_agent_prints_nothing() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.confirm(&order).await.expect(200);
    reprint(&fixture, &order).await.problem(409);
    seen(&fixture, Value::Null).await.expect(200);
    assert_eq!(claim(&fixture, Uuid::from_u128(1)).await, Value::Null);

    let order = fixture.order().await;
    fixture.confirm(&order).await.expect(200);
    let off = format!("/api/v1/orders/printing/{}", fixture.restaurant);
    let off = || fixture.app.delete(&off);
    let other = fixture.token(UserId(fixture.clock.new_id()), Role::Restaurant);
    off().token(&other).await.problem(403);
    off().token(&fixture.owner()).await.expect(200);
    seen(&fixture, Value::Null).await.expect(200);
    assert_eq!(claim(&fixture, Uuid::from_u128(1)).await, Value::Null);
}

#[tokio::test]
async fn the_owner_sees_why_a_ticket_waits() {
    let fixture = printing().await;
    let order = fixture.order().await;
    fixture.confirm(&order).await.expect(200);
    assert_eq!(mark(&fixture).await, (json!("waiting"), Value::Null));
    let answer = seen(&fixture, json!("no_paper")).await.expect(200);
    assert_eq!(answer["hasTicket"], true);
    assert_eq!(mark(&fixture).await, (json!("waiting"), json!("no_paper")));
    fixture.clock.advance(Duration::minutes(3));
    assert_eq!(
        mark(&fixture).await,
        (json!("waiting"), json!("agent_away"))
    );
}

#[tokio::test]
async fn another_owner_prints_nothing_of_a_restaurant() {
    let fixture = printing().await;
    let order = fixture.order().await;
    fixture.confirm(&order).await.expect(200);
    let job = claim(&fixture, Uuid::from_u128(1)).await;
    let other = fixture.token(UserId(fixture.clock.new_id()), Role::Restaurant);
    let unknown = RestaurantId(fixture.clock.new_id());
    for (restaurants, status) in [
        (json!([fixture.restaurant]), 403),
        (json!([unknown]), 404),
        (json!([]), 422),
    ] {
        let body = json!({ "agentId": Uuid::from_u128(2), "restaurantIds": restaurants });
        let claim = fixture.app.post(&format!("{JOBS}/claim"));
        claim.token(&other).json(&body).await.problem(status);
        let on = fixture.app.put("/api/v1/orders/printing");
        on.token(&other).json(&body).await.problem(status);
    }
    let path = format!("{JOBS}/report/{}", job["_id"].as_str().unwrap());
    let body = json!({ "agentId": Uuid::from_u128(1), "outcome": "printed" });
    let call = fixture.app.put(&path).token(&other).json(&body);
    call.await.problem(404);
    let path = format!(
        "/api/v1/orders/reprint/{}",
        order["orderId"].as_str().unwrap()
    );
    fixture.app.post(&path).token(&other).await.problem(404);
    let marks = fixture.app.get(JOBS).token(&other).await.expect(200);
    assert_eq!(marks, json!([]));
    fixture
        .app
        .get(JOBS)
        .token(&fixture.admin())
        .await
        .problem(403);
}
