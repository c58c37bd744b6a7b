//! Verbs that need no platform.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use crate::cli::Cli;

fn tiffin(args: &[&str]) -> String {
    let result = Command::new(env!("CARGO_BIN_EXE_tiffin"))
        .args(args)
        .output()
        .unwrap();
    assert!(result.status.success(), "{args:?}: {result:?}");
    String::from_utf8(result.stdout).unwrap()
}

#[test]
fn an_unreachable_platform_has_its_exit_code() {
    let nowhere = Cli::with_token("http://127.0.0.1:1", "any");
    nowhere.refused(&["streams"], 5, "The platform can't be reached");
    nowhere.refused(
        &["replay", "--consumer", "order_USERS", "--reason", "a test"],
        5,
        "reached",
    );
    Cli::with_token("localhost:8080", "any").refused(&["streams"], 2, "http://");
    Cli::at("http://127.0.0.1:1").refused(&["nonsense"], 2, "nonsense");
}

#[test]
fn the_help_tells_every_exit_code() {
    let help = tiffin(&["events", "--help"]);
    for line in [
        "0    done",
        "1    failed",
        "2    wrong usage",
        "6    refused",
        "130  stopped",
    ] {
        assert!(help.contains(line), "{line}: {help}");
    }
}

#[test]
fn shells_complete_verbs_and_streams() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = tiffin(&["completions", shell]);
        assert!(script.contains("timeline"), "{shell}");
        // The other two know of no values.
        let names_values = ["bash", "zsh", "fish"].contains(&shell);
        assert!(!names_values || script.contains("DELIVERIES"), "{shell}");
    }
    // A consumer is no file.
    let script = tiffin(&["completions", "zsh"]);
    let starts = ["'--consumer=", "':consumer ", "'*::consumer "];
    let consumers = script
        .lines()
        .filter(|line| starts.iter().any(|start| line.starts_with(start)));
    let consumers: Vec<_> = consumers.collect();
    assert!(consumers.len() > 3, "{consumers:?}");
    assert!(
        consumers.iter().all(|line| !line.contains("_default")),
        "{consumers:?}"
    );
}

#[test]
fn the_manual_in_the_repository_is_that_of_this_command_line() {
    let folder = tempfile::tempdir().unwrap();
    tiffin(&["man", "--folder", folder.path().to_str().unwrap()]);
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../infra/man");
    let (made, kept) = (pages(folder.path()), pages(&kept));
    let names = |pages: &BTreeMap<String, String>| pages.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&made), names(&kept), "run `cargo xtask generate`");
    for (name, page) in &made {
        assert!(
            kept[name] == *page,
            "{name} is not up to date: run `cargo xtask generate`"
        );
    }
    assert_eq!(
        tiffin(&["man", "events", "replay"]),
        made["tiffin-events-replay.1"]
    );
    assert!(made["tiffin-events.1"].contains("Exit codes"));
}

fn pages(folder: &Path) -> BTreeMap<String, String> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}
