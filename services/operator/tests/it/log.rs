//! Rebuilds of the event log.

use serde_json::{Value, json};
use tiffin_testkit::sample;

use crate::{
    events::{found, publish},
    fixture::{Fixture, eventually},
};

/// The result of a check or a rebuild of the log.
async fn ended(fixture: &Fixture, verb: &str) -> Value {
    let operation = fixture.ended("event-log", verb).await;
    assert_eq!(operation["handled"], operation["total"]);
    operation["report"]["tables"][0].clone()
}

#[tokio::test]
async fn the_event_log_is_checked_against_the_streams_and_rebuilt_from_them() {
    let fixture = Fixture::new().await;
    for kind in ["order.placed", "order.confirmed", "user.registered"] {
        publish(&fixture, &format!("tiffin.{kind}.v1")).await;
    }
    eventually("all events are in the log", async || {
        found(&fixture, "").await.len() == 3
    })
    .await;
    let whole = found(&fixture, "?stream=ORDERS").await;
    let check = ended(&fixture, "verify").await;
    assert_eq!(check["equal"], true, "{check}");

    // One event is missing, one is changed, and one was never published.
    sqlx::raw_sql(
        "delete from events where stream = 'USERS';
         update events set envelope = jsonb_set(envelope, '{actor}', '\"unknown\"')
             where stream = 'ORDERS' and seq = 1;
         insert into events select (jsonb_populate_record(e, '{\"seq\": 900}')).*
             from events e where stream = 'ORDERS' and seq = 2",
    )
    .execute(&fixture.db.pool)
    .await
    .unwrap();
    let check = ended(&fixture, "verify").await;
    assert_eq!(check["equal"], false, "{check}");
    assert!(
        found(&fixture, "?stream=USERS").await.is_empty(),
        "a check mended"
    );
    let rebuilt = ended(&fixture, "rebuild").await;
    assert_eq!(rebuilt["equal"], false, "{rebuilt}");
    assert_eq!(found(&fixture, "?stream=USERS").await.len(), 1);
    assert_eq!(found(&fixture, "?stream=ORDERS").await, whole);
    let check = ended(&fixture, "verify").await;
    assert_eq!(check["equal"], true, "{check}");
    let verbs = ["verify", "verify", "rebuild", "verify"];
    assert_eq!(fixture.verbs().await, verbs);
    let back = fixture.post(
        "/projections/event-log/rollback",
        json!({ "reason": "a test" }),
    );
    assert_eq!(back.await.status, 404);
    fixture.end().await;
}

#[tokio::test]
async fn of_a_closed_account_nothing_is_kept_even_where_it_comes_late() {
    let fixture = Fixture::new().await;
    let gone = publish(&fixture, "tiffin.user.deleted.v1").await;
    let mut late = serde_json::to_value(sample("tiffin.user.updated.v1")).unwrap();
    late["subject"] = gone["subject"].clone();
    let subject = format!("tiffin.user.{}.updated", gone["subject"].as_str().unwrap());
    fixture.publish(subject, &late).await;
    publish(&fixture, "tiffin.order.placed.v1").await;
    // An event of another account behind it.
    let mut other = late.clone();
    let user = fixture.clock.new_id();
    (other["subject"], other["id"]) = (json!(user), json!(fixture.clock.new_id()));
    fixture
        .publish(format!("tiffin.user.{user}.updated"), &other)
        .await;
    eventually("the last event is in the log", async || {
        let path = format!("?aggregate={user}");
        found(&fixture, &path).await.len() == 1
    })
    .await;
    let kept = found(&fixture, "?stream=USERS").await;
    let of: Vec<&Value> = kept.iter().map(|one| &one["event"]["subject"]).collect();
    assert_eq!(of.len(), 2, "{kept:#?}");
    assert!(of.contains(&&gone["subject"]) && of.contains(&&json!(user)));
    fixture.end().await;
}
