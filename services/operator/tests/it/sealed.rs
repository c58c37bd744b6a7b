//! Sealed personal fields: they are opened for a reason, also those of a dead letter, while their key exists.

use serde_json::{Value, json};
use tiffin_events::UserId;
use tiffin_testkit::{TestKeys, recorder, sample};

use crate::{
    events::found,
    fixture::{Fixture, List, eventually},
};

const PHONE: &str = "0771234567";

/// Publishes an account's event with a sealed phone, which its consumer can't handle.
async fn poison(fixture: &Fixture) -> UserId {
    let mut event = sample("tiffin.user.updated.v1");
    event.data["phone"] = PHONE.into();
    event.data["poison"] = true.into();
    event.sequence = 1;
    let keys = recorder(&fixture.clock).keys;
    keys.seal(&mut event).await.unwrap();
    let body = serde_json::to_value(&event).unwrap();
    assert!(!body.to_string().contains(PHONE), "{body}");
    let user = event.subject;
    fixture
        .publish(format!("tiffin.user.{user}.updated"), &body)
        .await;
    eventually("the event is a dead letter", async || {
        fixture.get("/dead").await.list().len() == 1
    })
    .await;
    UserId(user)
}

#[tokio::test]
async fn sealed_fields_are_shown_found_and_corrected_for_a_reason() {
    let fixture = Fixture::new().await;
    let user = poison(&fixture).await;
    let letters = fixture.get("/dead").await;
    assert!(!letters.text.contains(PHONE), "{}", letters.text);
    let letter = &letters.list()[0];
    assert_eq!(letter["event"]["data"]["phone"], "•••");
    eventually("the log has it", async || {
        found(&fixture, "?stream=USERS").await.len() == 1
    })
    .await;
    let masked = found(&fixture, "?stream=USERS").await;
    assert_eq!(masked[0]["event"]["data"]["phone"], "•••");
    let seen = found(&fixture, "?stream=USERS&reveal=a%20complaint").await;
    assert_eq!(seen[0]["event"]["data"]["phone"], PHONE);
    assert!(found(&fixture, &format!("?q={PHONE}")).await.is_empty());
    let query = format!("?q={PHONE}&reveal=a%20complaint");
    let matching = found(&fixture, &query).await;
    assert_eq!(matching.len(), 1, "{matching:?}");
    assert_eq!(matching[0]["event"]["data"]["phone"], PHONE);

    // An export is for other platforms, which have other keys.
    let export = fixture.get("/export/USERS?reason=moving").await;
    assert!(export.text.contains(PHONE), "{}", export.text);
    assert!(!export.text.contains("\"sealed\""), "{}", export.text);

    // The one that takes its place is sealed, too.
    let path = format!("/events/USERS/{}?reveal=mended", letter["streamSeq"]);
    let mut data = fixture.get(&path).await.body["event"]["data"].clone();
    assert_eq!(data["phone"], PHONE);
    data.as_object_mut().unwrap().remove("poison");
    let path = format!("/dead/{}/edit", letter["seq"]);
    let edited = json!({ "reason": "mended", "data": data });
    let edited = fixture.post(&path, edited).await;
    assert_eq!(edited.status, 200, "{}", edited.text);
    eventually("the new event is in the log", async || {
        found(&fixture, "?stream=USERS").await.len() == 2
    })
    .await;
    let bodies: Vec<Value> =
        sqlx::query_scalar("select envelope from events where stream = 'USERS'")
            .fetch_all(&fixture.db.pool)
            .await
            .unwrap();
    assert!(bodies.iter().all(|body| body.get("sealed").is_some()));
    assert!(!json!(bodies).to_string().contains(PHONE), "{bodies:?}");

    TestKeys::of_process().destroy(user);
    fixture.nats.broker.keys.forget(user);
    for event in found(&fixture, "?stream=USERS&reveal=a%20complaint").await {
        assert_eq!(event["event"]["data"]["phone"], "", "{event}");
        assert!(event["event"]["data"]["role"].is_string(), "{event}");
    }
    assert!(found(&fixture, &query).await.is_empty());
    fixture.end().await;
}
