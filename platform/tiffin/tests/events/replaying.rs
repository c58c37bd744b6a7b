use serde_json::Value;

use crate::{
    cli::{Cli, CommandResult},
    export_import::EVENT_COUNT,
    terminal,
};

const REASON: [&str; 2] = ["--reason", "a test"];

fn with_reason<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [args, &REASON].concat()
}

/// A replay of all made-up events, more than may be replayed without a confirmation.
const ALL: [&str; 3] = ["replay", "--consumer", "order_DRIVERS"];

/// A consumer that has handled everything changes nothing.
pub fn to_a_consumer(cli: &Cli) {
    let replay = with_reason(&["replay", "--consumer", "notification_ORDERS"]);
    let text = cli.ok(&replay);
    assert!(text.contains("replay notification_ORDERS: done"), "{text}");
    assert!(text.contains(" 0 took effect"), "{text}");
    let replay = &cli.json(&replay)[0];
    assert_eq!(replay["state"], "done");
    assert_eq!(replay["handled"], 0);
    assert_eq!(replay["skipped"], replay["total"]);
    let window = [
        "replay",
        "--consumer",
        "notification_ORDERS",
        "--from",
        "1",
        "--to",
        "1",
    ];
    assert_eq!(cli.json(&with_reason(&window))[0]["total"], 1);
    let filter = [
        "replay",
        "--consumer",
        "notification_ORDERS",
        "--filter",
        "tiffin.order.*.confirmed",
        "--from",
        "1h",
        "--dry-run",
    ];
    let text = cli.ok(&filter);
    assert!(text.contains("0 rows would change"), "{text}");
    let dry = &cli.json(&filter)[0];
    assert_eq!((&dry["matched"], &dry["skipped"]), (&1.into(), &1.into()));
    let shown = [&with_reason(&filter)[..], &["--reveal"]].concat();
    assert_eq!(&cli.json(&shown)[0], dry);
}

pub fn many_events_are_confirmed(cli: &Cli) {
    let all = with_reason(&ALL);
    let number = confirmation(&cli.run(&all));
    let wrong = terminal::run(cli.command(&all), &[("to confirm:", "7")]);
    assert_eq!(wrong.code, 6, "{wrong:?}");
    assert!(wrong.text.contains("Nothing was done."), "{wrong:?}");
    let right = terminal::run(cli.command(&all), &[("to confirm:", &number)]);
    assert_eq!(right.code, 0, "{right:?}");
    let mut unasked = all.clone();
    unasked.push("--yes");
    let done = &cli.json(&unasked)[0];
    assert_eq!(done["total"].to_string(), number);
    assert_eq!(done["skipped"], done["total"]);
    // Without a reason it is asked for; its answer is kept.
    let asked = [
        "replay",
        "--consumer",
        "order_DRIVERS",
        "--to",
        "5",
        "--detach",
    ];
    let screen = terminal::run(cli.command(&asked), &[("Reason:", "a customer asked")]);
    assert_eq!(screen.code, 0, "{screen:?}");
    let newest = &cli.json(&["replays", "--limit", "1"])[0];
    assert_eq!(newest["reason"], "a customer asked");
    cli.run(&[
        "replays",
        "show",
        newest["replayId"].as_str().unwrap(),
        "--follow",
    ]);
}

/// The number that has to be typed, without a terminal to type it.
fn confirmation(result: &CommandResult) -> String {
    assert_eq!(result.code, 6, "{result:?}");
    assert!(result.err.contains("Confirm with --yes."), "{result:?}");
    let number = result
        .err
        .trim_start_matches("error: ")
        .split(' ')
        .next()
        .unwrap();
    assert!(number.parse::<usize>().unwrap() > EVENT_COUNT, "{result:?}");
    number.to_owned()
}

/// Refused in words before anything moves.
pub fn what_makes_no_sense(cli: &Cli, customer: &Cli) {
    let before = cli.json(&["replays", "--limit", "500"]).len();
    let orders = ["replay", "--consumer", "notification_ORDERS"];
    cli.refused(&orders, 2, "Give a reason");
    for (more, code, words) in [
        (vec!["--from", "3", "--to", "1"], 2, "ends before it begins"),
        (vec!["--from", "0"], 2, "first sequence"),
        (vec!["--from", "tomorrow"], 2, "how long ago"),
        (
            vec!["--filter", "tiffin.order.*.deleted"],
            2,
            "No event matches",
        ),
        (vec!["--filter", "orders"], 2, "must be a subject"),
        (vec!["--rate", "0"], 2, "--rate"),
        (vec!["--live"], 2, "cannot be used with"),
        (vec!["--stream", "USERS"], 2, "does not read USERS"),
        (vec!["--stream", "NONE"], 4, "There is no stream NONE."),
    ] {
        cli.refused(&[&orders[..], &REASON, &more].concat(), code, words);
    }
    missing_targets(cli);
    customer.refused(&with_reason(&orders), 3, "Only operators may do this.");
    assert_eq!(
        cli.json(&["replays", "--limit", "500"]).len(),
        before,
        "something was begun"
    );
}

/// Targets that do not exist, or do not fit.
fn missing_targets(cli: &Cli) {
    for (args, code, words) in [
        (vec!["replay"], 2, "--consumer"),
        (
            vec!["replay", "--consumer", "no_such_ORDERS"],
            4,
            "There is no consumer no_such_ORDERS.",
        ),
        (
            vec!["replay", "--consumer", "unknown"],
            2,
            "named after its service",
        ),
        (
            vec!["replay", "--consumer", "delivery_NONSENSE"],
            4,
            "There is no consumer delivery_NONSENSE.",
        ),
        (
            vec!["replay", "--consumer", "payment_DRIVERS", "--dry-run"],
            4,
            "There is no consumer payment_DRIVERS.",
        ),
        (
            vec!["replay", "--consumer", "operator_ORDERS"],
            6,
            "operator_ORDERS only copies its stream",
        ),
        (
            vec!["replay", "--consumer", "order_DRIVERS", "--reveal"],
            2,
            "--dry-run",
        ),
        (vec!["replay", "--live"], 2, "--stream or --order"),
        (
            vec!["replay", "--live", "--order", "ORD-00000000"],
            4,
            "There is no order ORD-00000000.",
        ),
        (
            vec!["replay", "--live", "--stream", "ORDERS", "--speed", "0"],
            2,
            "0.1 to 1000",
        ),
        (vec!["rebuild", "no_such_ORDERS"], 4, "There is no consumer"),
        (
            vec!["rebuild", "delivery_NONSENSE"],
            4,
            "There is no consumer delivery_NONSENSE.",
        ),
        (
            vec!["roll-back", "no_such_ORDERS"],
            4,
            "There is no consumer",
        ),
        (vec!["verify", "no_such_ORDERS"], 4, "There is no consumer"),
        (vec!["republish"], 2, "--from-outbox"),
        (
            vec!["republish", "--from-outbox", "--service", "unknown"],
            4,
            "There is no service unknown",
        ),
        (
            vec!["export", "--stream", "NONE"],
            4,
            "There is no stream NONE.",
        ),
        (
            vec!["export", "--stream", "ORDERS", "--from", "3", "--to", "1"],
            2,
            "ends before",
        ),
        (vec!["dead", "retry", "99999"], 4, "no dead letter 99999"),
        (
            vec!["dead", "discard", "--all"],
            4,
            "No dead letter matches",
        ),
        (vec!["dead", "retry"], 2, "<SEQ>"),
    ] {
        cli.refused(&with_reason(&args), code, words);
    }
    // A mistyped name is refused before a reason is asked for.
    for verb in [
        &["replay", "--consumer"][..],
        &["rebuild"],
        &["roll-back"],
        &["verify"],
    ] {
        let mistyped = [verb, &["delivery_ORDER"]].concat();
        cli.refused(&mistyped, 4, "There is no consumer delivery_ORDER.");
    }
}

pub fn pause_resume_cancel(cli: &Cli) {
    let slow = [
        &with_reason(&ALL)[..],
        &["--yes", "--rate", "1", "--detach"],
    ]
    .concat();
    let begun = &cli.json(&slow)[0];
    let id = begun["replayId"].as_str().unwrap();
    cli.refused(
        &[&with_reason(&ALL)[..], &["--yes"]].concat(),
        6,
        "under way",
    );
    let state = |verb: &str| -> Value {
        cli.json(&["replays", verb, id, "--reason", "the counter is busy"])[0]["state"].clone()
    };
    assert_eq!(state("pause"), "paused");
    cli.refused(&["replays", "pause", id], 2, "Give a reason");
    assert!(cli.ok(&["replays", "show", id]).contains("paused"));
    assert_eq!(state("resume"), "running");
    let cancelled = cli.ok(&["replays", "cancel", id, "--reason", "enough"]);
    assert!(cancelled.contains("cancelled"), "{cancelled}");
    cli.refused(
        &["replays", "cancel", id, "--reason", "again"],
        6,
        "has ended already",
    );
    let followed = cli.run(&["replays", "show", id, "--follow"]);
    assert_eq!(followed.code, 1, "{followed:?}");
    assert!(followed.err.contains("was cancelled."), "{followed:?}");
    let list = cli.ok(&["replays"]);
    assert!(list.contains(id) && list.contains("cancelled"), "{list}");
    assert!(
        cli.json(&["replays"])
            .iter()
            .any(|one| one["replayId"] == id)
    );
    let unknown = "00000000-0000-7000-8000-000000000000";
    cli.refused(
        &["replays", "show", unknown],
        4,
        "There is no replay or other operation",
    );
    cli.refused(&["replays", "show", "7"], 2, "<ID>");
}

/// No browser watches here; the replay runs all the same, and changes nothing.
pub fn to_browsers(cli: &Cli, order: &str) {
    let live = [
        "replay", "--live", "--stream", "DRIVERS", "--to", "3", "--speed", "1000",
    ];
    let result = cli.run(&[&with_reason(&live)[..], &["--detach", "--json"]].concat());
    assert_eq!(result.code, 0, "{result:?}");
    assert!(result.err.contains("Live topic: replay:"), "{result:?}");
    let begun: Value = serde_json::from_str(&result.out).unwrap();
    assert_eq!(begun["matched"], 3);
    let id = begun["replayId"].as_str().unwrap();
    let newest = &cli.json(&["replays", "--limit", "1"])[0];
    assert_eq!(
        (&newest["verb"], &newest["replayId"]),
        (&"live".into(), &id.into())
    );
    let whole = ["replay", "--live", "--order", order, "--speed", "1000"];
    let shown = cli.ok(&with_reason(&whole));
    assert!(shown.contains(&format!("live {order}: done")), "{shown}");
}
