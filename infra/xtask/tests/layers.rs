//! Holds the layers: catalog ← archive ← bus; catalog ← chassis; database ← bus, chassis; all of them ← each service ← the binary. No service knows another, and nothing
//! that runs knows `infra`.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use tiffin_events::services::NAMES;

const FOUNDATIONS: [&str; 5] = [
    "tiffin-events",
    "tiffin-archive",
    "tiffin-bus",
    "tiffin-chassis",
    "tiffin-database",
];
/// Crates that are not part of what runs.
const TOOLS: [&str; 3] = ["tiffin-bench", "tiffin-testkit", "xtask"];

/// Package → the workspace packages it is built on, leaving out what only its tests use.
fn packages() -> BTreeMap<String, (String, Vec<String>)> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let built_on = |package: &Value| {
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        dependencies
            .filter(|dependency| dependency["kind"].is_null() && dependency["path"].is_string())
            .map(|dependency| text(&dependency["name"]))
            .collect()
    };
    metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| {
            (
                text(&package["name"]),
                (text(&package["manifest_path"]), built_on(package)),
            )
        })
        .collect()
}

#[test]
fn a_service_depends_on_the_shared_crates_only() {
    for (name, (path, built_on)) in packages() {
        if path.contains("/services/") {
            for other in built_on {
                assert!(
                    FOUNDATIONS.contains(&&*other),
                    "{name} is built on {other}: services meet through events and HTTP only",
                );
            }
        }
    }
}

#[test]
fn the_folder_of_services_holds_the_services_and_nothing_else() {
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../services");
    let found = fs::read_dir(services).unwrap().map(|entry| entry.unwrap());
    let found: BTreeSet<_> = found.map(|it| it.file_name().into_string()).collect();
    assert_eq!(found, NAMES.map(|name| Ok(name.to_owned())).into());
}

#[test]
fn what_runs_is_built_on_nothing_of_infra() {
    let packages = packages();
    let is_of_infra = |name: &str| packages[name].0.contains("/infra/");
    for (name, (_, built_on)) in packages.iter().filter(|(name, _)| !is_of_infra(name)) {
        let wrong = built_on.iter().find(|other| is_of_infra(other));
        assert_eq!(wrong, None, "{name} is built on it");
    }
}

#[test]
fn the_foundations_know_only_what_is_below_them() {
    let packages = packages();
    assert_eq!(packages["tiffin-events"].1, Vec::<String>::new());
    assert_eq!(packages["tiffin-archive"].1, ["tiffin-events"]);
    assert_eq!(packages["tiffin-database"].1, Vec::<String>::new());
    assert_eq!(
        packages["tiffin-bus"].1,
        ["tiffin-archive", "tiffin-database", "tiffin-events"]
    );
    assert_eq!(
        packages["tiffin-chassis"].1,
        ["tiffin-database", "tiffin-events"]
    );
}

#[test]
fn nothing_that_runs_is_built_on_a_tool() {
    for (name, (_, built_on)) in packages() {
        if !TOOLS.contains(&&*name) {
            for other in built_on {
                assert!(!TOOLS.contains(&&*other), "{name} is built on {other}");
            }
        }
    }
}

#[test]
fn no_folder_has_a_name_that_says_nothing() {
    let output = Command::new("git")
        .args(["ls-files", ":/"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    for path in String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .filter(|path| !path.contains("/generated/"))
    {
        for part in path.split('/') {
            let stem = part.split('.').next().unwrap_or_default();
            let empty = [
                "common", "utils", "util", "shared", "core", "helpers", "misc",
            ]
            .contains(&stem);
            assert!(
                !empty,
                "{path}: {stem:?} says nothing about what lives there"
            );
        }
    }
}

/// The names of modules that a source names with a path from the crate's root.
fn rooms_named_in(source: &str) -> Vec<&'static str> {
    let names = ["publish", "consume", "history"].into_iter();
    names
        .filter(|name| source.contains(&format!("{name}::")))
        .collect()
}

#[test]
fn within_the_bus_history_imports_the_others_and_never_the_reverse() {
    let bus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../events/bus/src");
    let mut seen = 0;
    for (room, others) in [
        ("publish", &["consume", "history"][..]),
        ("consume", &["publish", "history"][..]),
    ] {
        for (path, source) in sources(&bus.join(room)) {
            seen += 1;
            let named = rooms_named_in(&source);
            let wrong = named.iter().find(|name| others.contains(name));
            assert_eq!(wrong, None, "{} names it", path.display());
        }
    }
    assert!(seen > 25, "{seen} files");
}

/// Every Rust file below a folder, with its path.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut all = Vec::new();
    for path in fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()) {
        if path.is_dir() {
            all.extend(sources(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            let source = fs::read_to_string(&path).unwrap();
            all.push((path, source));
        }
    }
    all
}

#[test]
fn the_bridges_wire_code_imports_nothing_else_of_the_bridge() {
    let wire = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../services/live/src/wire");
    let files = sources(&wire);
    assert!(files.len() >= 5, "{} files", files.len());
    for (path, source) in files {
        let own = source.matches("crate::wire::").count();
        let climbs = source.contains("super::super::");
        assert!(
            source.matches("crate::").count() == own && !climbs,
            "{} imports the rest of the bridge",
            path.display()
        );
    }
}
