use std::fs;

use serde_json::{Value, json};

use crate::{
    cli::Cli,
    export_import,
    stack::{Stack, eventually},
    terminal,
};

const REASON: [&str; 2] = ["--reason", "a test"];

/// The letters of consumers that can't handle an event of a made-up driver.
fn letters_of(cli: &Cli, driver: &str) -> Vec<Value> {
    let letters = cli.json(&["dead"]);
    letters
        .into_iter()
        .filter(|one| one["event"]["subject"] == driver)
        .collect()
}

/// The sequence of `order_DRIVERS`' dead letter about a made-up driver, whose second event lacks a driver id.
async fn create_dead_letter(cli: &Cli, stack: &Stack, driver: &str) -> String {
    export_import::publish_unreadable(stack, driver).await;
    let mut seq = None;
    eventually("it is a dead letter", async || {
        let letters = letters_of(cli, driver);
        let own = letters
            .iter()
            .find(|one| one["consumer"] == "order_DRIVERS" && one["waiting"] == 1);
        seq = own.map(|own| own["seq"].to_string());
        seq.is_some()
    })
    .await;
    seq.unwrap()
}

pub async fn settle(cli: &Cli, stack: &Stack) {
    assert!(
        cli.run(&["dead"])
            .err
            .contains("There are no dead letters.")
    );
    let first = "019aa001-0000-7000-8000-00000000d001";
    let seq = create_dead_letter(cli, stack, first).await;
    let text = cli.ok(&["dead"]);
    assert!(
        text.contains("order_DRIVERS: ") && text.contains(first),
        "{text}"
    );
    let shown = cli.ok(&["dead", "show", &seq]);
    assert!(shown.contains(first), "{shown}");
    cli.refused(&["dead", "retry", &seq], 2, "Give a reason");
    let again = cli.run(&["dead", "retry", &seq, REASON[0], REASON[1]]);
    assert_eq!(again.code, 6, "{again:?}");
    edit_from_a_file(cli, &seq, first);

    let second = "019aa001-0000-7000-8000-00000000d002";
    let seq = create_dead_letter(cli, stack, second).await;
    edit_in_an_editor(cli, &seq);
    assert!(
        letters_of(cli, second)
            .iter()
            .all(|one| one["seq"].as_u64() != seq.parse().ok())
    );

    let third = "019aa001-0000-7000-8000-00000000d003";
    discard(cli, &create_dead_letter(cli, stack, third).await);
    assert!(cli.json(&["dead"]).is_empty());
}

fn edit_from_a_file(cli: &Cli, seq: &str, driver: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("data.json");
    let path = file.to_str().unwrap();
    let edit = ["dead", "edit", seq, "--file", path, REASON[0], REASON[1]];
    cli.refused(&edit, 2, "data.json");
    for (text, words) in [
        ("{", "no JSON"),
        (r#"{"driverId": "•••"}"#, "masked"),
        (
            r#"{"driver": 7}"#,
            "The payload does not fit tiffin.driver.available.v1",
        ),
    ] {
        fs::write(&file, text).unwrap();
        cli.refused(&edit, 2, words);
    }
    fs::write(&file, json!({ "driverId": driver }).to_string()).unwrap();
    let edited = &cli.json(&edit)[0];
    assert_eq!(edited["seq"].to_string(), seq);
    cli.refused(&edit, 4, "There is no dead letter");
    let without_file = ["dead", "edit", "1", REASON[0], REASON[1]];
    cli.refused(&without_file, 2, "--file");
}

fn edit_in_an_editor(cli: &Cli, seq: &str) {
    let args = ["dead", "edit", seq, REASON[0], REASON[1]];
    let with = |editor: &str| {
        let mut command = cli.command(&args);
        command.env_remove("VISUAL").env("EDITOR", editor);
        terminal::run(command, &[])
    };
    let unchanged = with("true");
    assert_eq!(unchanged.code, 1, "{unchanged:?}");
    assert!(
        unchanged.text.contains("Nothing was changed"),
        "{unchanged:?}"
    );
    assert_eq!(with("false").code, 1);
    let edited = with("sed -i s/unknown/driverId/");
    assert_eq!(edited.code, 0, "{edited:?}");
    assert!(
        edited.text.contains("A new event takes its place"),
        "{edited:?}"
    );
}

fn discard(cli: &Cli, seq: &str) {
    let one = cli.ok(&["dead", "discard", seq, REASON[0], REASON[1]]);
    assert!(one.starts_with(&format!("{seq}: ")), "{one}");
    let left = cli.json(&["dead"]).len();
    if left > 0 {
        let all = ["dead", "discard", "--all", REASON[0], REASON[1]];
        cli.refused(&all, 6, "Confirm with --yes.");
        let gone = cli.json(&[&all[..], &["--yes"]].concat());
        assert_eq!(gone.len(), left);
    }
}
