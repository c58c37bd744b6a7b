//! The audit's chain of operations.

use serde_json::{Value, json};
use tiffin_events::Stream;
use tiffin_testkit::sample;
use uuid::Uuid;

use crate::fixture::{Fixture, eventually};

/// A message of OPERATIONS: its subject and its event.
type Message = (String, Value);

/// A forgery that the check of the audit must find.
type Change = fn(&mut Vec<Message>);

/// The result of a check of the chain.
async fn verified(fixture: &Fixture) -> Value {
    let asked = json!({ "reason": "a test" });
    let begun = fixture.post("/projections/audit/verify", asked).await;
    assert_eq!(begun.status, 202, "{}", begun.text);
    let path = format!("/replays/{}", begun.body["replayId"].as_str().unwrap());
    eventually("the check ended", async || {
        fixture.get(&path).await.body["state"] != "running"
    })
    .await;
    let operation = fixture.get(&path).await.body;
    assert_eq!(operation["state"], "done", "{operation}");
    operation["report"].clone()
}

/// All events of the audit, once the broker has them.
async fn recorded(fixture: &Fixture) -> Vec<Message> {
    eventually("all events are published", async || {
        let waits: bool =
            sqlx::query_scalar("select exists (select from bus.outbox where published_at is null)")
                .fetch_one(&fixture.db.pool)
                .await
                .unwrap();
        !waits
    })
    .await;
    let rows: Vec<(String, String)> = sqlx::query_as(
        "select subject, body from bus.outbox where subject like 'tiffin.operation.%' order by id",
    )
    .fetch_all(&fixture.db.pool)
    .await
    .unwrap();
    let read = |(subject, body): (String, String)| (subject, serde_json::from_str(&body).unwrap());
    rows.into_iter().map(read).collect()
}

/// Replaces the stream's messages, which only the broker's owner can do.
async fn tamper(fixture: &Fixture, messages: &[Message]) {
    let broker = &fixture.nats.broker;
    let name = Stream::Operations.name();
    broker.jetstream.delete_stream(name).await.unwrap();
    broker.prepare().await.unwrap();
    for (subject, event) in messages {
        fixture.publish(subject.clone(), event).await;
    }
    // The relay stops if the stream is not as it left it, so a forger has to cover that up, too.
    sqlx::query("update bus.heads set stream_sequence = $1, trouble = null where stream = $2")
        .bind(i64::try_from(messages.len()).unwrap())
        .bind(name)
        .execute(&fixture.db.pool)
        .await
        .unwrap();
}

/// An event from before the chain.
async fn earlier(fixture: &Fixture, reason: &str) -> Message {
    let mut event = serde_json::to_value(sample("tiffin.operation.begun.v1")).unwrap();
    event["id"] = json!(fixture.clock.new_id());
    event["data"]["reason"] = reason.into();
    event["data"].as_object_mut().unwrap().remove("chain");
    let id: Uuid = event["subject"].as_str().unwrap().parse().unwrap();
    let subject = format!("tiffin.operation.{id}.begun");
    fixture.publish(subject.clone(), &event).await;
    (subject, event)
}

#[tokio::test]
async fn a_changed_removed_inserted_moved_or_cut_off_event_of_the_audit_is_found_where_it_lies() {
    let fixture = Fixture::new().await;
    let mut before = vec![
        earlier(&fixture, "one").await,
        earlier(&fixture, "two").await,
    ];
    // Parallel requests are chained one after the other.
    let paths: Vec<String> = (0..6)
        .map(|number| format!("/events?reveal=reason{number}"))
        .collect();
    for answer in futures_util::future::join_all(paths.iter().map(|path| fixture.get(path))).await {
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
    let whole = verified(&fixture).await;
    assert_eq!(whole["equal"], true, "{whole}");
    assert_eq!(whole["chain"]["earlier"], 2);
    assert_eq!(whole["failures"], json!([]));

    let count = before.len() + recorded(&fixture).await.len();
    assert!(count >= 10, "{count}");
    // Each change is made to all events up to then. Each check adds its own event at the end.
    let cases: [(&str, Change, usize); 7] = [
        (
            "changed",
            |all| all[4].1["data"]["reason"] = "another".into(),
            5,
        ),
        ("removed", |all| drop(all.remove(4)), 5),
        ("inserted", |all| all.insert(4, all[0].clone()), 0),
        ("moved", |all| all.swap(4, 5), 5),
        (
            "changed before the chain",
            |all| all[1].1["actor"] = "tiffin/order".into(),
            3,
        ),
        ("removed before the chain", |all| drop(all.remove(0)), 2),
        (
            "forged",
            |all| {
                let mut forged = all[0].clone();
                forged.1["id"] = json!(Uuid::from_u128(9));
                forged.1["time"] = "2026-11-01T12:00:00Z".into();
                all.insert(4, forged);
            },
            5,
        ),
    ];
    for (name, change, found) in cases {
        let mut all = [before.clone(), recorded(&fixture).await].concat();
        change(&mut all);
        tamper(&fixture, &all).await;
        let report = verified(&fixture).await;
        if found == 0 {
            // A copy of an event is harmless.
            assert_eq!(report["equal"], true, "{name}: {report}");
            continue;
        }
        assert_eq!(report["equal"], false, "{name}: {report}");
        assert_eq!(report["chain"]["brokenAt"], found, "{name}: {report}");
        let failure = report["failures"][0].as_str().unwrap();
        assert!(
            failure.starts_with(&format!("OPERATIONS/{found}: ")),
            "{name}: {failure}"
        );
    }

    // Without the last event the stream lacks the end that the database knows.
    let mut all = [before.clone(), recorded(&fixture).await].concat();
    all.pop();
    let count = all.len();
    tamper(&fixture, &all).await;
    let report = verified(&fixture).await;
    assert_eq!(report["chain"]["brokenAt"], count + 1, "{report}");

    // With the original content it holds again.
    before.extend(recorded(&fixture).await);
    tamper(&fixture, &before).await;
    let report = verified(&fixture).await;
    assert_eq!(report["equal"], true, "{report}");
    fixture.end().await;
}

#[tokio::test]
async fn the_audit_is_verified_and_never_built() {
    let fixture = Fixture::new().await;
    for verb in ["rebuild", "rollback"] {
        let path = format!("/projections/audit/{verb}");
        let refused = fixture.post(&path, json!({ "reason": "a test" })).await;
        assert_eq!(refused.problem(409), "audit can only be verified.");
    }
    let report = verified(&fixture).await;
    assert_eq!(report["equal"], true, "{report}");
    assert_eq!(report["chain"]["number"], 1);
    fixture.end().await;
}
