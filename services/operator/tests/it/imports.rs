//! The events that may be imported into a stream, and those that may not.

use serde_json::{Value, json};
use tiffin_bus::write;
use tiffin_events::{Clock, Role, Stream, UserId, subject};
use tiffin_testkit::{Answer, sample, token};
use uuid::Uuid;

use crate::{
    events::publish,
    fixture::{Fixture, List, eventually},
};

/// A line of an export with a sample event in which some fields are changed.
fn line(stream: Stream, kind: &str, changes: &Value) -> Value {
    let mut event = serde_json::to_value(sample(kind)).unwrap();
    event["id"] = json!(Clock::system().new_id());
    for (field, value) in changes.as_object().unwrap() {
        *event.pointer_mut(field).unwrap() = value.clone();
    }
    let parts = subject::EventType::parse(kind);
    let id = event["subject"].as_str().unwrap().parse().unwrap();
    let subject = subject::event(parts.aggregate, id, parts.event);
    json!({ "stream": stream.name(), "seq": 1, "subject": subject, "event": event })
}

/// Lines with events of one driver, of these sequences.
fn driver(id: Uuid, sequences: std::ops::RangeInclusive<i64>) -> Vec<Value> {
    sequences
        .map(|sequence| {
            let kind = "tiffin.driver.available.v1";
            let changes = json!({ "/subject": id, "/sequence": sequence, "/data/driverId": id });
            line(Stream::Drivers, kind, &changes)
        })
        .collect()
}

async fn import(fixture: &Fixture, stream: Stream, query: &str, lines: &[Value]) -> Answer {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let body = lines.join("\n");
    let path = format!("/api/v1/operator/export/{stream}?reason=moving{query}");
    fixture
        .app
        .post(&path)
        .token(&fixture.admin)
        .raw(body)
        .await
}

async fn stored(fixture: &Fixture, stream: Stream) -> u64 {
    let jetstream = &fixture.nats.broker.jetstream;
    let info = jetstream.get_stream(stream.name()).await.unwrap();
    info.cached_info().state.messages
}

/// The events about imports, oldest first.
async fn recorded(fixture: &Fixture) -> Vec<Value> {
    let mut found = fixture
        .get("/events?stream=OPERATIONS&q=import")
        .await
        .list();
    found.reverse();
    found
        .into_iter()
        .map(|mut one| one["event"].take())
        .collect()
}

#[tokio::test]
async fn a_forged_payment_an_operation_of_the_past_and_a_malformed_block_are_refused_and_nothing_is_stored()
 {
    let fixture = Fixture::new().await;
    // Streams that are in use.
    let declined = publish(&fixture, "tiffin.payment.declined.v1").await;
    let registered = publish(&fixture, "tiffin.user.registered.v1").await;

    let captured = line(Stream::Payments, "tiffin.payment.captured.v1", &json!({}));
    let refused = import(&fixture, Stream::Payments, "", &[captured]).await;
    let words = "PAYMENTS is not empty: an import fills a stream that was empty when it began.";
    assert_eq!(refused.problem(409), words);
    assert_eq!(stored(&fixture, Stream::Payments).await, 1);
    assert!(declined.is_object());

    // An operation in the owner's name, on 1 November, for the audit of a platform without any operation.
    let owner = registered["subject"].clone();
    let changes = json!({ "/actor": owner, "/time": "2026-11-01T12:00:00Z" });
    let operation = line(Stream::Operations, "tiffin.operation.begun.v1", &changes);
    let refused = import(&fixture, Stream::Operations, "", &[operation]).await;
    assert_eq!(
        refused.problem(409),
        "OPERATIONS takes no imports: it records the operations of this platform only."
    );
    assert_eq!(stored(&fixture, Stream::Operations).await, 0);

    let kind = "tiffin.user.blocked.v1";
    let malformed = line(Stream::Users, kind, &json!({ "/data": { "unknown": 1 } }));
    for stream in [Stream::Users, Stream::Drivers] {
        let mut malformed = malformed.clone();
        malformed["stream"] = stream.name().into();
        assert_eq!(import(&fixture, stream, "", &[malformed]).await.status, 422);
    }
    assert_eq!(stored(&fixture, Stream::Users).await, 1);
    assert_eq!(stored(&fixture, Stream::Drivers).await, 0);
    assert_eq!(stored(&fixture, Stream::DeadLetters).await, 0);
    assert!(
        fixture.verbs().await.is_empty(),
        "what was refused has not begun"
    );
    fixture.end().await;
}

#[tokio::test]
async fn one_malformed_line_refuses_its_whole_call_and_is_named() {
    let fixture = Fixture::new().await;
    let id = fixture.clock.new_id();
    let mut lines = driver(id, 1..=3);
    lines[1]["event"]["data"] = json!({ "unknown": id });
    let refused = import(&fixture, Stream::Drivers, "", &lines).await;
    let reason = refused.problem(422).clone();
    assert!(
        reason.starts_with("Line 2: its payload is no tiffin.driver.available.v1"),
        "{reason}"
    );

    for (lines, words) in [
        ([driver(id, 2..=3)].concat(), "Line 1: "),
        (
            [driver(id, 1..=1), driver(id, 3..=3)].concat(),
            "comes after 1",
        ),
        (
            [driver(id, 1..=2), driver(id, 2..=2)].concat(),
            "sequence 2 of",
        ),
    ] {
        let refused = import(&fixture, Stream::Drivers, "", &lines).await;
        let reason = refused.problem(422).clone();
        assert!(reason.contains(words), "{reason}");
    }
    let mut twice = driver(id, 1..=2);
    twice[1]["event"]["id"] = twice[0]["event"]["id"].clone();
    let refused = import(&fixture, Stream::Drivers, "", &twice).await;
    assert!(refused.problem(422).contains("another event has the id"));
    assert_eq!(stored(&fixture, Stream::Drivers).await, 0);
    assert!(fixture.verbs().await.is_empty());

    // A corrected event names the old one and may come later. A repeated line is the same event.
    let mut whole = driver(id, 1..=3);
    let mut mended = driver(id, 2..=2).remove(0);
    mended["event"]["causationid"] = whole[1]["event"]["id"].clone();
    whole.push(mended);
    whole.push(whole[0].clone());
    let imported = import(&fixture, Stream::Drivers, "", &whole).await;
    assert_eq!(imported.status, 200, "{}", imported.text);
    assert_eq!(imported.body["stored"], 4);
    fixture.end().await;
}

#[tokio::test]
async fn an_import_goes_on_call_by_call_and_says_at_its_end_what_it_stored() {
    let fixture = Fixture::new().await;
    let id = fixture.clock.new_id();
    let lines = driver(id, 1..=6);
    let first = import(&fixture, Stream::Drivers, "&more=true", &lines[..2]).await;
    assert_eq!(first.status, 200, "{}", first.text);
    assert_eq!(
        (&first.body["stored"], &first.body["isOpen"]),
        (&json!(2), &json!(true))
    );
    let import_id = first.body["importId"].as_str().unwrap().to_owned();
    let with_id = format!("&more=true&import={import_id}");

    // An import accepts no other operator and no other id.
    let other = token(
        &fixture.clock,
        UserId(fixture.clock.new_id()),
        Role::Operator,
    )
    .sign();
    let path = format!("/api/v1/operator/export/DRIVERS?reason=moving{with_id}");
    let call = fixture.app.post(&path).token(&other);
    assert_eq!(call.raw(lines[2].to_string()).await.status, 409);
    let made_up = format!("&import={}", fixture.clock.new_id());
    let refused = import(&fixture, Stream::Drivers, &made_up, &lines[2..3]).await;
    assert!(refused.problem(409).ends_with("has ended."));
    // A call with a gap is refused, and the import goes on.
    let gap = import(&fixture, Stream::Drivers, &with_id, &lines[3..]).await;
    assert!(gap.problem(422).contains("Line 1: sequence 4"));

    // An event that the broker stored before the process could note it counts as the import's own.
    let event = tiffin_bus::read::Logged::read(Stream::Drivers, lines[2].to_string().as_bytes());
    let events = [event.unwrap()];
    let own = import_id.parse().unwrap();
    let stored_there = write::append(&fixture.nats.broker, Stream::Drivers, &events, own, 2).await;
    assert_eq!(stored_there.unwrap(), 3);
    let again = import(&fixture, Stream::Drivers, "&more=true", &lines[..5]).await;
    assert_eq!(again.body["stored"], 2, "{}", again.text);
    let last = import(
        &fixture,
        Stream::Drivers,
        &format!("&import={import_id}"),
        &lines[5..],
    )
    .await;
    assert_eq!(
        (&last.body["stored"], &last.body["isOpen"]),
        (&json!(1), &json!(false))
    );
    assert_eq!(stored(&fixture, Stream::Drivers).await, 6);

    eventually("its end is recorded", async || {
        recorded(&fixture).await.len() == 2
    })
    .await;
    let [begun, done] = recorded(&fixture).await.try_into().unwrap();
    assert_eq!(begun["type"], "tiffin.operation.begun.v1");
    assert_eq!(done["type"], "tiffin.operation.done.v1");
    let noted = &done["data"]["imported"];
    assert_eq!(noted["count"], 6);
    assert_eq!(noted["first"], lines[0]["event"]["id"]);
    assert_eq!(noted["last"], lines[5]["event"]["id"]);
    assert_eq!(noted["hash"].as_str().unwrap().len(), 64);
    let kept: i64 = sqlx::query_scalar("select count(*) from imported")
        .fetch_one(&fixture.db.pool)
        .await
        .unwrap();
    assert_eq!(kept, 0);
    let late = import(&fixture, Stream::Drivers, &with_id, &driver(id, 7..=7)).await;
    assert!(late.problem(409).ends_with("has ended."));
    fixture.end().await;
}

#[tokio::test]
async fn an_import_whose_source_has_gaps_goes_on_where_it_was_left() {
    let fixture = Fixture::new().await;
    let account = |seq: u64, kind: &str, sequence: i64| {
        let id = fixture.clock.new_id();
        let changes = json!({ "/subject": id, "/sequence": sequence, "/data/userId": id });
        let mut line = line(Stream::Users, kind, &changes);
        line["seq"] = json!(seq);
        line
    };
    // Of erased accounts only the last event is left: earlier stream sequences and sequences are gone.
    let lines = [
        account(3, "tiffin.user.registered.v1", 1),
        account(11, "tiffin.user.deleted.v1", 5),
        account(12, "tiffin.user.registered.v1", 1),
        account(40, "tiffin.user.deleted.v1", 9),
    ];
    let first = import(&fixture, Stream::Users, "&more=true", &lines[..2]).await;
    assert_eq!(first.body["stored"], 2, "{}", first.text);
    // After an interruption the client begins again with the first line.
    let again = import(&fixture, Stream::Users, "&more=true", &lines[..3]).await;
    assert_eq!(again.body["stored"], 1, "{}", again.text);
    let last = import(&fixture, Stream::Users, "", &lines).await;
    assert_eq!(
        (&last.body["stored"], &last.body["isOpen"]),
        (&json!(1), &json!(false)),
        "{}",
        last.text
    );
    assert_eq!(stored(&fixture, Stream::Users).await, 4);
    fixture.end().await;
}

#[tokio::test]
async fn anything_else_that_is_published_ends_an_import_and_so_does_an_hour_without_a_call() {
    let fixture = Fixture::new().await;
    let id = fixture.clock.new_id();
    let lines = driver(id, 1..=4);
    let first = import(&fixture, Stream::Drivers, "&more=true", &lines[..2]).await;
    assert_eq!(first.status, 200, "{}", first.text);
    fixture.change(fixture.clock.new_id(), 1).await;
    eventually("another event is in the stream", async || {
        stored(&fixture, Stream::Drivers).await == 3
    })
    .await;
    let refused = import(&fixture, Stream::Drivers, "&more=true", &lines[2..]).await;
    let words = "Another event was published to DRIVERS after 2: the import has ended.";
    assert_eq!(refused.problem(409), words);
    let refused = import(&fixture, Stream::Drivers, "&more=true", &lines[2..]).await;
    assert!(refused.problem(409).starts_with("DRIVERS is not empty"));
    assert_eq!(stored(&fixture, Stream::Drivers).await, 3);
    eventually("its end is recorded", async || {
        let recorded = recorded(&fixture).await;
        recorded.last().is_some_and(|last| {
            last["type"] == "tiffin.operation.failed.v1" && last["data"]["imported"]["count"] == 2
        })
    })
    .await;

    let placed = line(
        Stream::Orders,
        "tiffin.order.placed.v1",
        &json!({ "/sequence": 1 }),
    );
    let open = import(&fixture, Stream::Orders, "&more=true", &[placed]).await;
    assert_eq!(open.status, 200, "{}", open.text);
    sqlx::query("update imports set updated_at = updated_at - interval '61 minutes'")
        .execute(&fixture.db.pool)
        .await
        .unwrap();
    eventually("the import has ended", async || {
        let open: bool = sqlx::query_scalar("select exists (select from imports where is_open)")
            .fetch_one(&fixture.db.pool)
            .await
            .unwrap();
        !open
    })
    .await;
    fixture.end().await;
}
