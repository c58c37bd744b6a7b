use futures_util::{FutureExt, StreamExt};
use serde_json::{Value, json};
use tiffin_bus::history::Command;
use tiffin_events::Stream;
use uuid::Uuid;

use crate::{
    fixture::{Fixture, List, eventually},
    moved,
};

/// A driver whose second event can't be handled and whose third waits behind it.
async fn driver_with_dead_letter(fixture: &Fixture) -> Uuid {
    let driver = fixture.clock.new_id();
    for sequence in 1..=3 {
        let data = if sequence == 2 {
            json!({ "poison": true })
        } else {
            json!({ "driverId": driver })
        };
        publish(fixture, ("driver", driver, sequence, "available"), data).await;
    }
    eventually("the event is a dead letter", async || {
        letters(fixture).await.len() == 1
    })
    .await;
    driver
}

/// Publishes one event of an aggregate directly, without an outbox, and returns its id.
async fn publish(
    fixture: &Fixture,
    (aggregate, id, sequence, name): (&str, Uuid, i64, &str),
    data: Value,
) -> Uuid {
    let event_id = fixture.clock.new_id();
    let event = json!({
        "specversion": "1.0", "id": event_id, "source": "tiffin/driver",
        "type": format!("tiffin.{aggregate}.{name}.v1"), "subject": id,
        "time": "2026-11-21T10:00:00Z", "datacontenttype": "application/json",
        "sequence": sequence, "actor": id, "data": data,
    });
    let subject = format!("tiffin.{aggregate}.{id}.{name}");
    fixture.publish(subject, &event).await;
    event_id
}

async fn letters(fixture: &Fixture) -> Vec<Value> {
    fixture.get("/dead").await.list()
}

async fn sequences(fixture: &Fixture, driver: Uuid) -> Vec<i64> {
    sqlx::query_scalar("select sequence from tally where aggregate = $1 order by n")
        .bind(driver)
        .fetch_all(&fixture.driver.pool)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_dead_letter_put_right_takes_effect_as_a_new_event_that_names_the_old_one() {
    let fixture = Fixture::new().await;
    let driver = driver_with_dead_letter(&fixture).await;
    let letter = &letters(&fixture).await[0];
    assert_eq!(letter["reason"], "it is poison");
    assert_eq!(letter["consumer"], "driver_DRIVERS");
    assert_eq!(letter["holdsUpDeletion"], false);
    eventually("the dead letter counts the waiting event", async || {
        letters(&fixture).await[0]["waiting"] == 1
    })
    .await;
    let path = format!("/dead/{}", letter["seq"]);

    let still = fixture
        .post(&format!("{path}/retry"), json!({ "reason": "again" }))
        .await;
    assert_eq!(still.status, 409, "{}", still.text);
    let wrong = json!({ "reason": "mended", "data": { "driver": 7 } });
    assert_eq!(
        fixture.post(&format!("{path}/edit"), wrong).await.status,
        422
    );
    let masked = json!({ "reason": "mended", "data": { "driverId": driver, "firstName": "•••" } });
    let masked = fixture.post(&format!("{path}/edit"), masked).await;
    let words = "The payload still has masked fields: write their values.";
    assert_eq!(masked.body["fields"]["data"], words);
    assert_eq!(masked.problem(422), words);
    let right = json!({ "reason": "mended", "data": { "driverId": driver } });
    let edited = fixture.post(&format!("{path}/edit"), right).await;
    assert_eq!(edited.status, 200, "{}", edited.text);
    eventually("the waiting event follows", async || {
        sequences(&fixture, driver).await == [1, 2, 3]
    })
    .await;
    assert!(letters(&fixture).await.is_empty());
    let old = letter["event"]["id"].clone();
    eventually("the new event names the old one", async || {
        let path = format!("/events?aggregate={driver}");
        let events = fixture.get(&path).await.list();
        events.iter().any(|one| one["event"]["causationid"] == old)
    })
    .await;
    let outcome = |verb: &str, end: &str, error: Option<&str>| {
        let events = vec!["begun".to_owned(), end.to_owned()];
        (verb.to_owned(), events, error.map(str::to_owned))
    };
    let refused = still.problem(409);
    assert_eq!(
        fixture.audit().await,
        [
            outcome("retry", "failed", Some(&refused)),
            outcome("edit", "done", None),
        ]
    );
    fixture.end().await;
}

#[tokio::test]
async fn dead_letters_are_listed_by_cause_and_by_pages() {
    let fixture = Fixture::new().await;
    assert!(fixture.get("/dead/causes").await.list().is_empty());
    for count in 1..=3 {
        let driver = fixture.clock.new_id();
        let key = ("driver", driver, 1, "available");
        publish(&fixture, key, json!({ "poison": true })).await;
        eventually("the event is a dead letter", async || {
            letters(&fixture).await.len() == count
        })
        .await;
    }
    let causes = fixture.get("/dead/causes").await.list();
    assert_eq!(causes.len(), 1, "{causes:?}");
    let cause = &causes[0];
    assert_eq!(cause["cause"], "it is poison");
    assert_eq!(cause["count"], 3);
    assert_eq!(cause["consumers"], json!(["driver_DRIVERS"]));
    assert_eq!(cause["deletions"], 0);
    assert!(cause["oldest"].as_str() <= cause["newest"].as_str());

    let of_cause = format!("/dead?cause={}", cause["id"].as_str().unwrap());
    let first = fixture.get(&format!("{of_cause}&limit=2")).await;
    let link = first.headers["link"].to_str().unwrap().to_owned();
    let (path, _) = link
        .trim_start_matches("</api/v1/operator")
        .split_once('>')
        .unwrap();
    assert!(path.starts_with(&of_cause), "{link}");
    let second = fixture.get(path).await;
    assert!(second.headers.get("link").is_none());
    let seqs = |rows: Vec<Value>| rows.into_iter().map(|row| row["seq"].clone());
    let paged: Vec<_> = seqs(first.list()).chain(seqs(second.list())).collect();
    let all: Vec<_> = seqs(letters(&fixture).await).collect();
    assert_eq!(paged, all);
    assert!(fixture.get("/dead?cause=another").await.list().is_empty());
    fixture.end().await;
}

#[tokio::test]
async fn letters_are_read_from_the_stream_only_where_they_changed() {
    let fixture = Fixture::new().await;
    let client = &fixture.nats.broker.client;
    let made = "$JS.API.CONSUMER.CREATE.DEADLETTERS.>";
    let mut readings = client.subscribe(made).await.unwrap();
    driver_with_dead_letter(&fixture).await;
    for _ in 0..20 {
        assert_eq!(letters(&fixture).await.len(), 1);
    }
    client.flush().await.unwrap();
    let mut count = 0;
    while let Some(Some(_)) = readings.next().now_or_never() {
        count += 1;
    }
    // Once for the page, and once for the task that looks for dead letters of accounts.
    assert!((1..=3).contains(&count), "read {count} times");
    let path = format!(
        "/dead/{}?reason=a%20test",
        letters(&fixture).await[0]["seq"]
    );
    assert_eq!(fixture.delete(&path).await.status, 200);
    assert!(letters(&fixture).await.is_empty());
    fixture.end().await;
}

#[tokio::test]
async fn events_that_wait_are_counted_where_they_left_the_log() {
    let fixture = Fixture::new().await;
    driver_with_dead_letter(&fixture).await;
    moved::logged(&fixture, 3).await;
    moved::archive(&fixture, Stream::Drivers).await;
    moved::let_go(&fixture).await;
    assert_eq!(moved::rows(&fixture).await, 0);
    // A count is kept for a moment; the one before the move may be from before the third event.
    eventually("the waiting event is counted", async || {
        letters(&fixture).await[0]["waiting"] == 1
    })
    .await;
    fixture.end().await;
}

#[tokio::test]
async fn a_discarded_dead_letter_is_gone_and_the_rest_goes_on() {
    let fixture = Fixture::new().await;
    let driver = driver_with_dead_letter(&fixture).await;
    let path = format!("/dead/{}", letters(&fixture).await[0]["seq"]);
    assert_eq!(fixture.delete(&format!("{path}?reason=")).await.status, 422);
    assert_eq!(fixture.delete(&path).await.status, 422);
    let gone = fixture
        .delete(&format!("{path}?reason=a%20test%20left%20it"))
        .await;
    assert_eq!(gone.status, 200, "{}", gone.text);
    assert_eq!(sequences(&fixture, driver).await, [1, 3]);
    assert_eq!(
        fixture.delete(&format!("{path}?reason=again")).await.status,
        404
    );
    for nowhere in ["0", "-1", "99999999999999999999"] {
        let path = format!("/dead/{nowhere}/retry");
        assert_eq!(
            fixture
                .post(&path, json!({ "reason": "again" }))
                .await
                .status,
            404
        );
    }
    let discarded = (
        "discard".to_owned(),
        vec!["begun".to_owned(), "done".to_owned()],
        None,
    );
    assert_eq!(fixture.audit().await, [discarded]);
    fixture.end().await;
}

#[tokio::test]
async fn the_deletion_of_an_account_does_not_wait_for_a_dead_letter() {
    let fixture = Fixture::new().await;
    let user = fixture.clock.new_id();
    let mut last = Uuid::nil();
    for (sequence, name, data) in [
        (1, "registered", json!({ "userId": user })),
        (2, "updated", json!({ "poison": true })),
        (3, "blocked", json!({ "userId": user })),
        (4, "updated", json!({ "poison": true })),
        (5, "deleted", json!({ "userId": user, "role": "customer" })),
    ] {
        last = publish(&fixture, ("user", user, sequence, name), data).await;
    }
    eventually("both dead letters are discarded", async || {
        sequences(&fixture, user).await == [1, 3, 5] && letters(&fixture).await.is_empty()
    })
    .await;
    assert_eq!(fixture.verbs().await, ["discard", "discard"]);
    eventually("the operation and its reason are recorded", async || {
        let recorded = fixture.get("/events?stream=OPERATIONS").await.list();
        let begun = recorded.iter().filter(|one| {
            let event = &one["event"];
            event["data"]["reason"] == "The account is closed."
        });
        let in_their_name = recorded.iter().all(|one| {
            let event = &one["event"];
            event["actor"] == user.to_string() && event["causationid"] == last.to_string()
        });
        recorded.len() == 4 && begun.count() == 2 && in_their_name
    })
    .await;
    fixture.end().await;
}

#[tokio::test]
async fn a_deletion_that_can_not_be_handled_comes_before_all_other_letters() {
    let fixture = Fixture::new().await;
    driver_with_dead_letter(&fixture).await;
    let user = fixture.clock.new_id();
    let poison = json!({ "userId": user, "role": "customer", "poison": true });
    publish(&fixture, ("user", user, 1, "deleted"), poison).await;
    eventually("the deletion is a dead letter, too", async || {
        letters(&fixture).await.len() == 2
    })
    .await;
    let stand: Vec<_> = letters(&fixture)
        .await
        .iter()
        .map(|one| (one["consumer"].clone(), one["holdsUpDeletion"].clone()))
        .collect();
    let (users, drivers) = (json!("driver_USERS"), json!("driver_DRIVERS"));
    assert_eq!(stand, [(users, json!(true)), (drivers, json!(false))]);
    assert!(fixture.verbs().await.is_empty(), "a deletion was discarded");
    fixture.end().await;
}

#[test]
fn a_command_reads_as_it_is_written() {
    let command = Command::Retry {
        consumer: "driver_DRIVERS".to_owned(),
        stream_sequence: 7,
    };
    let written = serde_json::to_value(&command).unwrap();
    assert_eq!(
        written,
        json!({ "do": "retry", "consumer": "driver_DRIVERS", "streamSequence": 7 })
    );
}
