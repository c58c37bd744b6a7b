use serde_json::Value;
use sqlx::{Connection, PgConnection};
use tiffin_bus::Broker;
use tiffin_events::{Stream, services};

use crate::{cli::Cli, stack::Stack};

const REASON: [&str; 2] = ["--reason", "a test"];

/// Nothing is missing, so nothing is published again.
pub fn republish(cli: &Cli) {
    let all = ["republish", "--from-outbox", REASON[0], REASON[1]];
    let text = cli.ok(&all);
    assert!(
        text.contains("PUBLISHED AGAIN") && text.contains("tiffin.order"),
        "{text}"
    );
    let operations = cli.json(&all);
    assert_eq!(operations.len(), services::with_database().count());
    assert!(
        operations
            .iter()
            .all(|one| one["state"] == "done" && one["handled"] == 0),
        "{operations:?}"
    );
    let one = cli.json(&[&all[..], &["--service", "order"]].concat());
    assert_eq!(one[0]["target"], "order");
}

/// Old events move to the archive, where they are verified and shown as before.
pub fn archive(cli: &Cli) {
    let run = ["archive", "run", REASON[0], REASON[1]];
    let text = cli.ok(&run);
    assert!(text.contains("archive: done, 0 events moved"), "{text}");
    assert_eq!(cli.json(&["archive"]).len(), 0);
    let moved = cli.json(&[&run[..], &["--after-days", "0"]].concat());
    assert!(moved[0]["handled"].as_i64() > Some(0), "{moved:?}");
    let text = cli.ok(&["archive"]);
    assert!(text.contains("ORDERS"), "{text}");
    let text = cli.ok(&["archive", "verify", REASON[0], REASON[1]]);
    assert!(
        text.contains("equal") && !text.contains("differs"),
        "{text}"
    );
}

/// A row that no event tells of is found, repaired, and back after a roll-back.
pub async fn verify_rebuild_roll_back(cli: &Cli, stack: &Stack) {
    let consumer = "user_ORDERS";
    let verify = ["verify", REASON[0], REASON[1]];
    let text = cli.ok(&verify);
    assert!(
        text.contains("equal") && !text.contains("differs"),
        "{text}"
    );
    let operations = cli.json(&verify);
    assert!(
        operations.iter().all(|one| one["report"]["equal"] == true),
        "{operations:?}"
    );
    for target in ["event-log", "audit"] {
        assert!(
            operations.iter().any(|one| one["target"] == target),
            "{target}"
        );
    }
    let audit = &cli.json(&["verify", "audit", REASON[0], REASON[1]])[0];
    assert!(
        audit["report"]["chain"]["number"].as_i64() > Some(10),
        "{audit}"
    );
    let rebuilt = &cli.json(&["rebuild", "event-log", REASON[0], REASON[1]])[0];
    assert_eq!(rebuilt["report"]["equal"], true, "{rebuilt}");
    let verify = ["verify", consumer, REASON[0], REASON[1]];

    tamper(stack).await;
    cut_off(cli, stack).await;
    let result = cli.run(&verify);
    assert_eq!(result.code, 1, "{result:?}");
    assert!(
        result.out.contains("differs") && result.err.contains("Not equal: orders_under_way"),
        "{result:?}"
    );
    let from_first = "--from-first-event";
    let rebuilt = cli.ok(&["rebuild", consumer, from_first, REASON[0], REASON[1]]);
    assert!(rebuilt.contains("done"), "{rebuilt}");
    assert!(
        rebuilt.contains("user_ORDERS: read from the first event: the operator asked"),
        "{rebuilt}"
    );
    cli.ok(&verify);
    let back = cli.json(&["roll-back", consumer, REASON[0], REASON[1]]);
    assert!(
        back[0]["message"]
            .as_str()
            .unwrap()
            .contains("in use again"),
        "{back:?}"
    );
    cli.refused(
        &["roll-back", consumer, REASON[0], REASON[1]],
        6,
        "nothing to go back to",
    );
    // The consumers that catch up are busy for a moment.
    let mut code = 6;
    crate::stack::eventually("it can be verified", async || {
        code = cli.run(&verify).code;
        code != 6
    })
    .await;
    assert_eq!(code, 1, "the tampered row is not back");
    let rebuilt = &cli.json(&["rebuild", consumer, REASON[0], REASON[1]])[0];
    assert_eq!(rebuilt["state"], "done");
    assert_eq!(rebuilt["report"]["equal"], Value::Bool(false));
}

/// An audit without one of its events: the check names the event where it breaks.
async fn cut_off(cli: &Cli, stack: &Stack) {
    let broker = Broker::connect(&stack.nats_url(), "test").await.unwrap();
    let lines = cli.ok(&["export", "--stream", "OPERATIONS", REASON[0], REASON[1]]);
    let name = Stream::Operations.name();
    broker.jetstream.delete_stream(name).await.unwrap();
    broker.prepare().await.unwrap();
    for (_, line) in lines.lines().enumerate().filter(|(index, _)| *index != 4) {
        let line: Value = serde_json::from_str(line).unwrap();
        let subject = line["subject"].as_str().unwrap().to_owned();
        let body = line["event"].to_string();
        let stored = broker
            .jetstream
            .publish(subject, body.into())
            .await
            .unwrap();
        stored.await.unwrap();
    }
    let result = cli.run(&["verify", "audit", REASON[0], REASON[1]]);
    assert_eq!(result.code, 1, "{result:?}");
    assert!(
        result.out.contains("differs")
            && result
                .err
                .contains("OPERATIONS/5: it is event 6 of the chain"),
        "{result:?}"
    );
    assert!(result.err.contains("Not equal: OPERATIONS"), "{result:?}");
    let result = cli.run(&["verify", "audit", REASON[0], REASON[1], "--json"]);
    assert_eq!(result.code, 1, "{result:?}");
    let report: Value = serde_json::from_str(&result.out).unwrap();
    assert_eq!(report["report"]["chain"]["brokenAt"], 5);
}

async fn tamper(stack: &Stack) {
    let (_, url) = stack
        .databases()
        .into_iter()
        .find(|(name, _)| name == "user")
        .unwrap();
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let changed = sqlx::query("update orders_under_way set customer_id = order_id")
        .execute(&mut connection)
        .await;
    assert!(changed.unwrap().rows_affected() > 0);
    connection.close().await.unwrap();
}
