use std::{
    io::{BufRead, BufReader},
    process::Stdio,
};

use serde_json::Value;
use tiffin_events::Stream;

use crate::{cli::Cli, stack::eventually, terminal};

pub fn streams(cli: &Cli) {
    let text = cli.ok(&["streams"]);
    for word in [
        "STREAM",
        "ORDERS",
        "CONSUMER",
        "delivery_ORDERS",
        "SERVICE",
        "No dead letters.",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let overview = &cli.json(&["streams"])[0];
    assert_eq!(overview["deadLetters"], 0);
    let streams = overview["streams"].as_array().unwrap();
    assert_eq!(streams.len(), Stream::ALL.len());
    assert!(
        overview["services"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one["isThere"] == true)
    );
    let one = &cli.json(&["streams", "orders"])[0]["streams"];
    assert_eq!(one.as_array().unwrap().len(), 1);
    assert!(one[0]["messages"].as_u64().unwrap() >= 2, "{one}");
    cli.refused(&["streams", "NONE"], 4, "There is no stream NONE.");
    cli.refused(&["streams", "--every", "1"], 2, "--watch");
    watched(cli);

    let colourful = terminal::run(cli.command(&["streams"]), &[]);
    assert!(colourful.text.contains('\u{1b}'), "{colourful:?}");
    let mut plain = cli.command(&["streams"]);
    plain.env("NO_COLOR", "1");
    assert!(!terminal::run(plain, &[]).text.contains('\u{1b}'));
}

pub fn capacity(cli: &Cli) {
    let text = cli.ok(&["capacity"]);
    for word in [
        "STREAM",
        "NOTIFICATIONS",
        "KV_audience",
        "refuses events",
        "drops the oldest",
        "DATABASE",
        "Broker's disk: ",
        "Event log: ",
        "An order: ",
        "The platform is younger than a day",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(!text.contains("unreachable"), "{text}");
    let capacity = &cli.json(&["capacity"])[0];
    let standing = &cli.json(&["streams", "orders"])[0]["streams"][0];
    let streams = capacity["streams"].as_array().unwrap();
    assert_eq!(streams.len(), Stream::ALL.len() + 2);
    let orders = streams.iter().find(|one| one["name"] == "ORDERS").unwrap();
    for field in ["messages", "bytes", "maxBytes"] {
        assert_eq!(orders[field], standing[field], "{field}");
    }
    // The disk is that of the configuration that the broker was started with.
    assert_eq!(capacity["broker"]["maxBytes"], 12_u64 << 30);
    let databases = capacity["databases"].as_array().unwrap();
    let has_rows = |one: &Value| one["outbox"]["bytes"].as_u64().unwrap() > 0;
    assert!(databases.iter().all(has_rows), "{databases:?}");
    cli.refused(&["capacity", "ORDERS"], 2, "ORDERS");
}

/// One line a look, until the reader closes the pipe.
fn watched(cli: &Cli) {
    let mut command = cli.command(&["streams", "--watch", "--every", "0.1", "--json"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..2 {
        let line: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert!(line["streams"].is_array());
    }
    drop(lines);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

pub fn search(cli: &Cli, order: &str) {
    let text = cli.ok(&["search", "--stream", "ORDERS", "--type", "order.placed"]);
    assert!(
        text.contains("ORDERS/1 ") && text.contains("order.placed"),
        "{text}"
    );
    assert!(!text.contains("order.confirmed"), "{text}");
    let mistyped = ["search", "--type", "order.plced"];
    cli.refused(&mistyped, 2, "Did you mean tiffin.order.placed.v1?");
    let found = cli.json(&["search", order]);
    assert!(!found.is_empty());
    let placed = found
        .iter()
        .find(|one| one["event"]["type"] == "tiffin.order.placed.v1")
        .unwrap();
    let id = placed["event"]["subject"].as_str().unwrap();
    let actor = placed["event"]["actor"].as_str().unwrap();
    for filter in [
        ["--aggregate", id],
        ["--correlation", id],
        ["--actor", actor],
        ["--from", "1h"],
        ["--seq", "1-9"],
    ] {
        let found = cli.json(&["search", "--stream", "orders", filter[0], filter[1]]);
        assert!(found.iter().any(|one| one == placed), "{filter:?}");
    }
    assert!(cli.json(&["search", "--to", "1h"]).is_empty());
    pages(cli);
    let nothing = cli.run(&["search", "nosuchword"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (0, ""), "{nothing:?}");
    assert!(nothing.err.contains("No event matches."));
    cli.refused(
        &["search", "--stream", "NONE"],
        4,
        "There is no stream NONE.",
    );
    cli.refused(
        &["search", "--from", "1h", "--to", "2h"],
        2,
        "ends before it begins",
    );
    cli.refused(&["search", "--from", "yesterday"], 2, "how long ago");
    cli.refused(&["search", "--aggregate", "7"], 2, "--aggregate");
    cli.refused(&["search", "--limit", "0"], 2, "--limit");
    cli.refused(&["search", "--seq", "9-1"], 2, "ends before it begins");
    assert_eq!(
        cli.json(&["search", "--stream", "ORDERS", "--seq", "1"])
            .len(),
        1
    );
}

fn pages(cli: &Cli) {
    let all = cli.json(&["search", "--stream", "CATALOG", "--all"]);
    assert!(all.len() > 2, "{all:?}");
    let first = cli.run(&["search", "--stream", "CATALOG", "--limit", "2", "--json"]);
    assert_eq!(first.out.lines().count(), 2);
    let cursor = first
        .err
        .split("--cursor ")
        .nth(1)
        .unwrap()
        .split(',')
        .next()
        .unwrap();
    let rest = cli.json(&["search", "--stream", "CATALOG", "--cursor", cursor, "--all"]);
    assert_eq!(rest, all[2..]);
}

pub fn show(cli: &Cli) {
    let registered = &cli.json(&["search", "--type", "user.registered", "--limit", "1"])[0];
    let position = format!(
        "{}/{}",
        registered["stream"].as_str().unwrap(),
        registered["seq"]
    );
    let masked = cli.ok(&["show", &position]);
    assert!(
        masked.contains("actor  ") && masked.contains("├─ email  •••"),
        "{masked}"
    );
    cli.refused(&["show", &position, "--reveal"], 2, "Give a reason");
    cli.refused(
        &["show", &position, "--reveal", "--reason", "  "],
        2,
        "Give a reason",
    );
    let whole = cli.ok(&["show", &position, "--reveal", "--reason", "a complaint"]);
    assert!(
        whole.contains("@example.com") && !whole.contains("•••"),
        "{whole}"
    );
    let email = whole
        .split_whitespace()
        .find(|word| word.contains("@example.com"));
    let email = email.unwrap().trim_matches('"');
    let words = ["search", "--type", "user.registered", email];
    assert!(cli.json(&words).is_empty());
    let reveal = [&words[..], &["--reveal"]].concat();
    cli.refused(&reveal, 2, "Give a reason");
    let found = cli.json(&[&reveal[..], &["--reason", "a letter"]].concat());
    assert!(
        found
            .iter()
            .all(|one| one["event"]["data"]["email"] != "•••")
    );
    assert!(!found.is_empty());
    let seq = registered["seq"].to_string();
    assert_eq!(&cli.json(&["show", "users", &seq])[0], registered);
    cli.refused(
        &["show", "ORDERS", "99999"],
        4,
        "There is no event ORDERS/99999.",
    );
    cli.refused(&["show", "NONE", "1"], 4, "There is no stream NONE.");
    cli.refused(&["show", "ORDERS"], 2, "Name the event");
    cli.refused(&["show", "ORDERS/x"], 2, "Name the event");
}

pub async fn timeline(cli: &Cli, order: &str) {
    eventually(
        "mail leaves, for the sake of what it tells of",
        async || {
            let text = cli.ok(&["timeline", order]);
            text.contains("notification.sent  ← order.placed after ")
        },
    )
    .await;
    let text = cli.ok(&["timeline", order]);
    let head = text.lines().next().unwrap();
    for column in ["order", "delivery", "notification"] {
        assert!(head.contains(column), "{head}");
    }
    assert!(
        text.contains("delivery.created  ← order.confirmed after "),
        "{text}"
    );
    let events = cli.json(&["timeline", order]);
    assert_eq!(events.len(), text.lines().count() - 1);
    assert_eq!(events[0]["event"]["type"], "tiffin.order.placed.v1");
    assert_eq!(events[0]["event"]["data"]["address"], "•••");
    let reveal = ["timeline", order, "--reveal"];
    cli.refused(&reveal, 2, "Give a reason");
    let whole = cli.json(&[&reveal[..], &["--reason", "where was it"]].concat());
    assert_ne!(whole[0]["event"]["data"]["address"], "•••");
    cli.refused(
        &["timeline", "ORD-00000000"],
        4,
        "There is no order ORD-00000000.",
    );
}

/// An earlier action is kept, with its reason.
pub fn operations(cli: &Cli) {
    let text = cli.ok(&["operations", "--all"]);
    assert!(text.contains("a complaint"), "{text}");
    let verbs: Vec<Value> = cli
        .json(&["operations", "--all"])
        .into_iter()
        .map(|one| one["event"]["data"]["verb"].clone())
        .collect();
    for verb in [
        "reveal", "replay", "live", "pause", "resume", "cancel", "edit", "discard",
    ] {
        assert!(verbs.iter().any(|one| one == verb), "{verb}: {verbs:?}");
    }
    let reveals = cli.json(&["operations", "--verb", "reveal"]);
    assert!(!reveals.is_empty());
    assert!(
        reveals
            .iter()
            .all(|one| one["event"]["data"]["verb"] == "reveal")
    );
    let is_of_dry_run = |one: &Value| {
        let target = one["event"]["data"]["target"].as_str().unwrap();
        target.starts_with("notification_ORDERS ORDERS/")
    };
    assert!(reveals.iter().any(is_of_dry_run), "{reveals:?}");
}
