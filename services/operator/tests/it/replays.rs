use futures_util::StreamExt;
use serde_json::{Value, json};
use tiffin_events::subject;
use tiffin_testkit::sample;

use crate::{
    events::publish,
    fixture::{CONSUMER, Fixture, List, eventually, replay_all},
};

async fn ended(fixture: &Fixture, id: &str) -> Value {
    let path = format!("/replays/{id}");
    eventually("the replay ended", async || {
        let replay: Value = fixture.get(&path).await.body;
        replay["state"] != "running"
    })
    .await;
    fixture.get(&path).await.body
}

#[tokio::test]
async fn a_replay_of_what_was_handled_skips_all_of_it_and_is_kept_with_its_reason() {
    let fixture = Fixture::new().await;
    fixture.change(fixture.clock.new_id(), 1_100).await;
    eventually("all took effect", async || fixture.effects().await == 1_100).await;

    let unconfirmed = fixture.post("/replays", replay_all()).await;
    assert_eq!(unconfirmed.status, 422);
    assert_eq!(unconfirmed.body["matched"], 1_100);
    let mut dry = replay_all();
    dry["dryRun"] = true.into();
    let dry = fixture.post("/replays", dry).await;
    assert_eq!(dry.status, 200, "{}", dry.text);
    let dry: Value = dry.body;
    assert_eq!(
        (dry["matched"].as_i64(), dry["rows"].as_i64()),
        (Some(1_100), Some(0))
    );

    let mut confirmed = replay_all();
    confirmed["confirm"] = 1_100.into();
    let begun = fixture.post("/replays", confirmed).await;
    assert_eq!(begun.status, 202, "{}", begun.text);
    let begun: Value = begun.body;
    let replay = ended(&fixture, begun["replayId"].as_str().unwrap()).await;
    assert_eq!(replay["state"], "done");
    assert_eq!(
        (replay["skipped"].as_i64(), replay["handled"].as_i64()),
        (Some(1_100), Some(0))
    );
    assert_eq!(replay["reason"], "a test");
    assert_eq!(fixture.effects().await, 1_100);
    eventually("the end of the replay is an event", async || {
        let ends: Vec<Value> = fixture
            .get("/events?type=tiffin.operation.done.v1")
            .await
            .list();
        ends.len() == 1
    })
    .await;
    let list: Vec<Value> = fixture.get("/replays").await.list();
    assert_eq!(list.len(), 1);
    fixture.end().await;
}

#[tokio::test]
async fn a_dry_run_shows_personal_fields_only_to_who_asks_for_them_which_is_kept() {
    let fixture = Fixture::new().await;
    let driver = fixture.clock.new_id();
    let mut registered = serde_json::to_value(sample("tiffin.driver.registered.v1")).unwrap();
    registered["subject"] = json!(driver);
    registered["sequence"] = json!(1);
    registered["data"]["firstName"] = json!("Nimali");
    let subject = format!("tiffin.driver.{driver}.registered");
    fixture.publish(subject, &registered).await;
    eventually("the event took effect", async || {
        fixture.effects().await == 1
    })
    .await;
    // The state of a database that was restored from an old backup.
    sqlx::raw_sql("delete from tally; delete from bus.reached")
        .execute(&fixture.driver.pool)
        .await
        .unwrap();
    let mut dry = replay_all();
    dry["dryRun"] = true.into();
    let masked = &fixture.post("/replays", dry.clone()).await.body["changes"][0];
    assert_eq!(masked["after"]["first_name"], "•••", "{masked}");
    assert_eq!(
        masked["changed"],
        json!(["aggregate", "first_name", "n", "sequence"])
    );
    assert!(fixture.verbs().await.is_empty());
    dry["reveal"] = true.into();
    let shown = &fixture.post("/replays", dry).await.body["changes"][0];
    assert_eq!(shown["after"]["first_name"], "Nimali", "{shown}");
    assert_eq!(fixture.verbs().await, ["reveal"]);
    eventually("the reveal is an event", async || {
        let recorded = fixture.get("/events?type=tiffin.operation.begun.v1").await;
        recorded.list().iter().any(|one| {
            one["event"]["data"]["target"] == "driver_DRIVERS DRIVERS/1-1"
                && one["event"]["data"]["reason"] == "a test"
        })
    })
    .await;
    assert_eq!(fixture.effects().await, 0, "a dry run took effect");
    fixture.end().await;
}

#[tokio::test]
async fn what_a_consumer_does_not_take_of_its_stream_is_not_counted() {
    let fixture = Fixture::new().await;
    publish(&fixture, "tiffin.user.registered.v1").await;
    publish(&fixture, "tiffin.inquiry.opened.v1").await;
    let to_users = |from: u64| {
        json!({ "stream": "USERS", "reason": "a test", "target": { "consumer": "driver_USERS" },
            "from": from })
    };
    let begun = fixture.post("/replays", to_users(1)).await;
    assert_eq!(begun.body["matched"], 1, "{}", begun.text);
    ended(&fixture, begun.body["replayId"].as_str().unwrap()).await;
    let none = fixture.post("/replays", to_users(2)).await;
    assert_eq!(
        none.problem(422),
        "No event matches: widen the window or the filter."
    );
    let backwards = json!({ "from": "2026-11-21T10:00:00Z", "to": "2026-11-20T10:00:00Z" });
    let mut request = to_users(1);
    for (name, value) in backwards.as_object().unwrap() {
        request[name] = value.clone();
    }
    let backwards = fixture.post("/replays", request).await;
    assert_eq!(backwards.problem(422), "The window ends before it begins.");
    fixture.end().await;
}

#[tokio::test]
async fn a_slow_replay_is_paused_resumed_and_cancelled() {
    let fixture = Fixture::new().await;
    fixture.change(fixture.clock.new_id(), 100).await;
    eventually("all took effect", async || fixture.effects().await == 100).await;
    let mut slow = replay_all();
    slow["rate"] = 8.into();
    let begun: Value = fixture.post("/replays", slow).await.body;
    let path = format!("/replays/{}", begun["replayId"].as_str().unwrap());
    let why = json!({ "reason": "the counter is busy" });
    let pause = format!("{path}/pause");
    let unsaid = fixture.post(&pause, json!({ "reason": " " })).await;
    assert_eq!(unsaid.status, 422);
    let paused = fixture.post(&pause, why.clone()).await;
    assert_eq!(paused.body["state"], "paused", "{}", paused.text);
    let busy = fixture.post("/replays", replay_all()).await;
    assert_eq!(busy.status, 409, "{}", busy.text);
    let resumed = fixture.post(&format!("{path}/resume"), why).await;
    assert_eq!(resumed.body["state"], "running", "{}", resumed.text);
    assert_eq!(fixture.delete(&path).await.status, 422);
    let path = format!("{path}?reason=enough");
    let cancelled = fixture.delete(&path).await;
    assert_eq!(cancelled.body["state"], "cancelled", "{}", cancelled.text);
    assert_eq!(fixture.delete(&path).await.status, 409);
    // The replay that was refused is in the audit, too.
    let ends: Vec<_> = fixture
        .audit()
        .await
        .into_iter()
        .map(|(verb, events, error)| format!("{verb} {} {}", events.join(" "), error.is_some()))
        .collect();
    assert_eq!(
        ends,
        [
            "replay begun cancelled false",
            "pause begun done false",
            "replay begun failed true",
            "resume begun done false",
            "cancel begun done false",
        ]
    );
    fixture.end().await;
}

#[tokio::test]
async fn a_live_replay_shows_a_window_to_browsers_alone() {
    let fixture = Fixture::new().await;
    fixture.change(fixture.clock.new_id(), 5).await;
    eventually("all took effect", async || fixture.effects().await == 5).await;
    let mut everyone = fixture
        .nats
        .broker
        .client
        .subscribe("replay.*")
        .await
        .unwrap();
    let live = json!({
        "stream": "DRIVERS", "reason": "to see it", "target": { "live": true },
        "from": 2, "to": 4, "speed": 100,
    });
    let begun: Value = fixture.post("/replays", live).await.body;
    assert_eq!(begun["matched"], 3);
    let id = begun["replayId"].as_str().unwrap();
    let mut sequences = Vec::new();
    loop {
        let message = everyone.next().await.unwrap();
        assert_eq!(
            message.subject.as_str(),
            subject::operation(id.parse().unwrap())
        );
        let frame: Value = serde_json::from_slice(&message.payload).unwrap();
        assert_eq!(frame["topic"], format!("replay:{id}"));
        if frame["type"] == "event" {
            sequences.push(frame["seq"].as_u64().unwrap());
        } else if frame["state"] == "done" {
            break;
        }
    }
    assert_eq!(sequences, [2, 3, 4]);
    assert_eq!(fixture.effects().await, 5, "a live replay took effect");
    fixture.end().await;
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_in_words_before_anything_moves() {
    let fixture = Fixture::new().await;
    fixture.change(fixture.clock.new_id(), 3).await;
    eventually("all took effect", async || fixture.effects().await == 3).await;
    let with = |change: Value| {
        let mut body = replay_all();
        for (name, value) in change.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    };
    for (change, status) in [
        (json!({ "stream": "NONE" }), 404),
        (json!({ "from": 3, "to": 1 }), 422),
        (json!({ "from": 0 }), 422),
        (json!({ "from": 50 }), 422),
        (json!({ "from": "yesterday" }), 422),
        (json!({ "from": "2999-01-01T00:00:00Z" }), 422),
        (json!({ "filter": "tiffin.driver.*.registered" }), 422),
        (json!({ "filter": "orders" }), 422),
        (json!({ "filter": "tiffin.order.*.placed" }), 422),
        (json!({ "stream": "ORDERS" }), 422),
        (json!({ "target": { "consumer": "driver_ORDERS" } }), 404),
        (json!({ "target": { "consumer": "driver_NONSENSE" } }), 404),
        (json!({ "target": { "consumer": "no_such_DRIVERS" } }), 404),
        (json!({ "target": { "consumer": "operator_DRIVERS" } }), 409),
        (json!({ "target": { "consumer": "order_DRIVERS" } }), 503),
        (json!({ "target": { "live": false } }), 422),
        (json!({ "target": { "live": true }, "speed": 0 }), 422),
        (json!({ "reason": "  " }), 422),
        (json!({ "rate": 0 }), 422),
        (
            json!({ "from": "2026-11-21T10:00:00Z", "to": "2026-11-20T10:00:00Z" }),
            422,
        ),
    ] {
        let answer = fixture.post("/replays", with(change.clone())).await;
        assert_eq!(answer.status, status, "{change}: {}", answer.text);
    }
    for verb in ["rebuild", "verify", "rollback"] {
        for (consumer, status) in [(CONSUMER, 409), ("driver_NONSENSE", 404), ("unknown", 404)] {
            let path = format!("/projections/{consumer}/{verb}");
            let answer = fixture.post(&path, json!({ "reason": "a test" })).await;
            assert_eq!(answer.status, status, "{path}: {}", answer.text);
        }
    }
    let mut nonsense = with(json!({ "target": { "consumer": "driver_NONSENSE" } }));
    for is_dry in [true, false] {
        nonsense["dryRun"] = is_dry.into();
        let answer = fixture.post("/replays", nonsense.clone()).await;
        assert_eq!(answer.problem(404), "There is no consumer driver_NONSENSE.");
    }
    assert_eq!(fixture.get("/replays/none").await.status, 404);
    let audit = fixture.audit().await;
    let refused = |(_, events, error): &(String, Vec<String>, Option<String>)| {
        *events == ["begun", "failed"] && error.is_some()
    };
    assert!(audit.iter().all(refused), "something was begun: {audit:?}");
    fixture.end().await;
}
