use serde_json::Value;
use sqlx::{Connection, PgConnection};
use tiffin_bus::Broker;
use tiffin_events::{Stream, services};

use crate::{cli::Cli, stack::Stack};

const WHY: [&str; 2] = ["--reason", "a test"];

/// Nothing is missing, so nothing is published again.
pub fn republish(cli: &Cli) {
    let all = ["republish", "--from-outbox", WHY[0], WHY[1]];
    let text = cli.ok(&all);
    assert!(
        text.contains("PUBLISHED AGAIN") && text.contains("tiffin.order"),
        "{text}"
    );
    let runs = cli.json(&all);
    assert_eq!(runs.len(), services::with_database().count());
    assert!(
        runs.iter()
            .all(|run| run["state"] == "done" && run["handled"] == 0),
        "{runs:?}"
    );
    let one = cli.json(&[&all[..], &["--service", "order"]].concat());
    assert_eq!(one[0]["target"], "order");
}

/// A row that no event tells of is found, repaired, and back after a roll-back.
pub async fn verify_rebuild_roll_back(cli: &Cli, stack: &Stack) {
    let consumer = "user_ORDERS";
    let verify = ["verify", WHY[0], WHY[1]];
    let text = cli.ok(&verify);
    assert!(
        text.contains("equal") && !text.contains("differs"),
        "{text}"
    );
    let runs = cli.json(&verify);
    assert!(
        runs.iter().all(|run| run["report"]["equal"] == true),
        "{runs:?}"
    );
    for target in ["event-log", "audit"] {
        assert!(runs.iter().any(|run| run["target"] == target), "{target}");
    }
    let audit = &cli.json(&["verify", "audit", WHY[0], WHY[1]])[0];
    assert!(
        audit["report"]["chain"]["number"].as_i64() > Some(10),
        "{audit}"
    );
    let rebuilt = &cli.json(&["rebuild", "event-log", WHY[0], WHY[1]])[0];
    assert_eq!(rebuilt["report"]["equal"], true, "{rebuilt}");
    let verify = ["verify", consumer, WHY[0], WHY[1]];

    tamper(stack).await;
    cut_off(cli, stack).await;
    let ran = cli.run(&verify);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.out.contains("differs") && ran.err.contains("Not equal: orders_under_way"),
        "{ran:?}"
    );
    let rebuilt = cli.ok(&["rebuild", consumer, WHY[0], WHY[1]]);
    assert!(rebuilt.contains("done"), "{rebuilt}");
    cli.ok(&verify);
    let back = cli.json(&["roll-back", consumer, WHY[0], WHY[1]]);
    assert!(
        back[0]["message"].as_str().unwrap().contains("is back"),
        "{back:?}"
    );
    cli.refused(
        &["roll-back", consumer, WHY[0], WHY[1]],
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
    let rebuilt = &cli.json(&["rebuild", consumer, WHY[0], WHY[1]])[0];
    assert_eq!(rebuilt["state"], "done");
    assert_eq!(rebuilt["report"]["equal"], Value::Bool(false));
}

/// An audit without one of its events: the check names the place where it breaks.
async fn cut_off(cli: &Cli, stack: &Stack) {
    let broker = Broker::connect(&stack.nats_url(), "test").await;
    let lines = cli.ok(&["export", "--stream", "OPERATIONS", WHY[0], WHY[1]]);
    let name = Stream::Operations.name();
    broker.jetstream.delete_stream(name).await.unwrap();
    broker.prepare().await.unwrap();
    for (_, line) in lines.lines().enumerate().filter(|(place, _)| *place != 4) {
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
    let ran = cli.run(&["verify", "audit", WHY[0], WHY[1]]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.out.contains("differs") && ran.err.contains("OPERATIONS/5: it is event 6 of the chain"),
        "{ran:?}"
    );
    assert!(ran.err.contains("Not equal: OPERATIONS"), "{ran:?}");
    let ran = cli.run(&["verify", "audit", WHY[0], WHY[1], "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let report: Value = serde_json::from_str(&ran.out).unwrap();
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
