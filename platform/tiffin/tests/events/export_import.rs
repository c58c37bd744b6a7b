//! Events out of one platform and into another.

use std::{
    io::{BufRead, BufReader, Seek},
    process::Stdio,
};

use parquet::{
    file::reader::{FileReader, SerializedFileReader},
    record::Field,
};
use serde_json::{Value, json};
use tiffin_bus::Broker;

use crate::{
    cli::Cli,
    stack::{Stack, eventually},
};

const REASON: [&str; 2] = ["--reason", "moving house"];
/// Made-up events of one driver; more than may be replayed without a word.
pub const EVENT_COUNT: usize = 1_100;
/// The streams that are empty before the first order.
const EXPORTED_STREAMS: [&str; 4] = ["CATALOG", "DRIVERS", "DELIVERIES", "ORDERS"];

/// A line of an export.
fn line(seq: u64, driver: &str, sequence: usize, kind: &str, data: &Value) -> String {
    let id = format!("019aa001-0000-7000-9000-{seq:012x}");
    let event = json!({
        "specversion": "1.0", "id": id, "source": "tiffin/driver",
        "type": format!("tiffin.driver.{kind}.v1"), "subject": driver,
        "time": "2026-11-21T10:00:00Z", "datacontenttype": "application/json",
        "sequence": sequence, "actor": "tiffin/driver", "data": data,
    });
    let subject = format!("tiffin.driver.{driver}.{kind}");
    json!({ "stream": "DRIVERS", "seq": seq, "subject": subject, "event": event }).to_string()
        + "\n"
}

fn registered(seq: u64, driver: &str) -> String {
    let data = json!({ "driverId": driver, "vehicleType": "Bike", "isAvailable": false });
    line(seq, driver, 1, "registered", &data)
}

/// Publishes lines past every service, as only the broker's owner can.
async fn publish(stack: &Stack, lines: &str) {
    let broker = Broker::connect(&stack.nats_url(), "test").await.unwrap();
    for line in lines.lines() {
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
}

/// More events of one driver than may be replayed without a word.
pub async fn publish_many(stack: &Stack) {
    publish(stack, &many_events()).await;
}

fn many_events() -> String {
    let driver = "019aa001-0000-7000-8000-00000000d000";
    let mut lines = registered(1, driver);
    for (seq, sequence) in (2..).zip(2..=EVENT_COUNT) {
        let kind = if sequence % 2 == 0 {
            "available"
        } else {
            "unavailable"
        };
        lines += &line(seq, driver, sequence, kind, &json!({ "driverId": driver }));
    }
    lines
}

/// A stream that is in use takes nothing, and neither does the audit.
pub fn refused_imports(cli: &Cli) {
    cli.refused(&["import"], 2, "Give a reason");
    cli.refused(
        &["import", "/nowhere.ndjson", REASON[0], REASON[1]],
        2,
        "/nowhere.ndjson",
    );
    let lines = many_events();
    let import = ["import", REASON[0], REASON[1], "--json"];
    for (lines, code, words) in [
        ("{\"stream\":".to_owned(), 2, "Line 1 is no event"),
        (
            lines.replace("tiffin.driver.", "tiffin.order."),
            2,
            "DRIVERS does not take",
        ),
        (
            lines.replace("\"vehicleType\"", "\"vehicle\""),
            2,
            "its payload is no tiffin.driver.registered.v1",
        ),
        (
            lines.replace("\"DRIVERS\"", "\"OPERATIONS\""),
            6,
            "OPERATIONS takes no imports",
        ),
        (lines, 6, "DRIVERS is not empty"),
    ] {
        let result = cli.run_with_input(&import, &lines);
        assert_eq!(result.code, code, "{result:?}");
        assert!(result.err.contains(words), "{result:?}");
    }
}

/// A driver whose second event lacks a driver id, so that no consumer can handle it.
pub async fn publish_unreadable(stack: &Stack, driver: &str) {
    let seq = u64::from_str_radix(&driver[32..], 16).unwrap() * 10;
    let lines = registered(seq, driver)
        + &line(
            seq + 1,
            driver,
            2,
            "available",
            &json!({ "unknown": driver }),
        )
        + &line(
            seq + 2,
            driver,
            3,
            "unavailable",
            &json!({ "driverId": driver }),
        );
    publish(stack, &lines).await;
}

/// Everything of some streams, as it is written.
pub fn export(cli: &Cli) -> String {
    cli.refused(&["export", "--stream", "ORDERS"], 2, "Give a reason");
    let streams = EXPORTED_STREAMS.map(|stream| ["--stream", stream]).concat();
    let result = cli.run(&[&["export", REASON[0], REASON[1]], &streams[..]].concat());
    assert_eq!(result.code, 0, "{result:?}");
    assert!(result.err.contains("ORDERS: "), "{}", result.err);
    let stored = &cli.json(&["streams", "ORDERS"])[0]["streams"][0]["messages"];
    let lines = result
        .out
        .lines()
        .filter(|line| line.contains("\"stream\":\"ORDERS\""));
    assert_eq!(lines.count().to_string(), stored.to_string());
    let part = cli.ok(&[
        "export", "--stream", "ORDERS", "--from", "1", "--to", "1", REASON[0], REASON[1],
    ]);
    assert_eq!(part.lines().count(), 1);
    as_parquet(cli, &result.out);
    result.out
}

/// The same in a Parquet file, in the same order.
fn as_parquet(cli: &Cli, exported: &str) {
    let streams = EXPORTED_STREAMS.map(|stream| ["--stream", stream]).concat();
    let args = ["export", "--format", "parquet", REASON[0], REASON[1]];
    let mut file = tempfile::tempfile().unwrap();
    let ended = cli
        .command(&[&args, &streams[..]].concat())
        .stdout(file.try_clone().unwrap())
        .output()
        .unwrap();
    assert!(ended.status.success(), "{ended:?}");
    file.rewind().unwrap();
    let rows = SerializedFileReader::new(file).unwrap();
    let rows = rows.get_row_iter(None).unwrap().map(Result::unwrap);
    let rows: Vec<Value> = rows
        .map(|row| {
            let cell = |name| row.get_column_iter().find(|(column, _)| *column == name);
            let Some((_, Field::Str(event))) = cell("event") else {
                panic!("{row}");
            };
            serde_json::from_str(event).unwrap()
        })
        .collect();
    let lines: Vec<Value> = exported
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["event"].take())
        .collect();
    assert_eq!(rows, lines);
}

pub fn import_into_an_empty_system(cli: &Cli, exported: &str) {
    let import = ["import", REASON[0], REASON[1], "--json"];
    // Its history holds events that no consumer could handle: none goes in as it is.
    let unreadable = cli.run_with_input(&import, exported);
    assert_eq!(unreadable.code, 2, "{unreadable:?}");
    assert!(
        unreadable
            .err
            .contains("its payload is no tiffin.driver.available.v1"),
        "{unreadable:?}"
    );
    let exported = exported.replace("\"unknown\":", "\"driverId\":");
    let result = cli.run_with_input(&import, &exported);
    assert_eq!(result.code, 0, "{result:?}");
    let imported: Value = serde_json::from_str(&result.out).unwrap();
    // What the refused one had stored before that line is passed over.
    let stored = imported["stored"].as_u64().unwrap();
    assert!(stored > EVENT_COUNT as u64, "{result:?}");
    let again = cli.run_with_input(&import, &exported);
    assert_eq!(again.code, 6, "{again:?}");
    assert!(again.err.contains("is not empty"), "{again:?}");
    for stream in EXPORTED_STREAMS {
        let own = format!("\"stream\":\"{stream}\"");
        let old: Vec<&str> = exported
            .lines()
            .filter(|line| line.contains(&own))
            .collect();
        let new = cli.ok(&["export", "--stream", stream, REASON[0], REASON[1]]);
        // It was not taken for a new event: nothing followed from it.
        let new: Vec<&str> = new.lines().collect();
        assert!(!old.is_empty() && new == old, "{stream} is another one");
    }
}

/// Each import tells at its end how much it stored; those of one operator make one audit.
pub async fn imports_are_recorded(cli: &Cli, exported: &str) {
    let recorded = || {
        let recorded = cli.json(&["operations", "--verb", "import", "--all"]);
        let ended = |one: &Value| one["event"]["data"]["imported"]["count"].as_u64();
        recorded.iter().filter_map(ended).collect::<Vec<u64>>()
    };
    eventually("all ends are recorded", async || {
        recorded().len() >= EXPORTED_STREAMS.len()
    })
    .await;
    let stored: u64 = recorded().iter().sum();
    assert_eq!(stored, exported.lines().count() as u64);
    let audit = &cli.json(&["verify", "audit", REASON[0], REASON[1]])[0];
    assert_eq!(audit["report"]["equal"], true, "{audit}");
}

pub fn a_closed_pipe_is_no_error(cli: &Cli) {
    for args in [
        &["export", "--stream", "DRIVERS", REASON[0], REASON[1]][..],
        &["search", "--all", "--json"],
    ] {
        let mut child = cli
            .command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.next().is_some());
        drop(lines);
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(0), "{args:?}: {ended:?}");
        assert!(
            !String::from_utf8_lossy(&ended.stderr).contains("error"),
            "{ended:?}"
        );
    }
}
