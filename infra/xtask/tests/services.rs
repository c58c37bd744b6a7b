//! Compares every list of services that is not made from the table in `events/catalog` with that table.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use tiffin_events::{
    rights,
    services::{NAMES, SERVICES},
};

/// The manifest of the binary.
const BINARY: &str = "platform/tiffin/Cargo.toml";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The text from `start` to the next `end`.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).unwrap();
    rest.split_once(end).unwrap().0
}

#[test]
fn each_service_has_a_crate_that_the_binary_is_built_on() {
    let workspace = read("Cargo.toml");
    let binary = read(BINARY);
    for name in NAMES {
        let manifest = read(&format!("services/{name}/Cargo.toml"));
        let package = format!("tiffin-{name}");
        assert!(
            manifest.contains(&format!("name = \"{package}\"")),
            "{name}"
        );
        let dependency = format!("{package} = {{ path = \"services/{name}\" }}");
        assert!(workspace.contains(&dependency), "Cargo.toml: {dependency}");
        let dependency = format!("\n{package}.workspace = true");
        assert!(binary.contains(&dependency), "{BINARY}: {package}");
    }
}

#[test]
fn the_development_server_passes_on_every_path_of_a_service() {
    let config = read("web/vite.config.ts");
    let proxied: Vec<&str> = between(&config, "proxy: {", "\n    },")
        .split('\'')
        .filter(|part| part.starts_with('/'))
        .collect();
    for path in SERVICES.iter().flat_map(|service| service.paths) {
        let is_proxied = proxied.iter().any(|start| path.starts_with(start));
        assert!(
            is_proxied,
            "web/vite.config.ts passes nothing on for {path}"
        );
    }
}

#[test]
fn the_architecture_names_every_service() {
    let page = read("docs/ARCHITECTURE.md");
    let row = between(&page, "| `services/<name>` | one service each: ", " |");
    assert_eq!(row, NAMES.join(", "));
}

#[test]
fn the_guide_says_which_streams_each_service_follows() {
    let guide = read("docs/events.md");
    let table = between(&guide, "## Who follows which stream", "\n## ");
    let rows = table.lines().filter_map(|line| {
        let mut cells = line.split('|').map(str::trim).skip(1);
        Some((cells.next()?, cells.next()?))
    });
    let mut listed: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (service, streams) in rows.filter(|(service, _)| NAMES.contains(service)) {
        listed
            .entry(service)
            .or_default()
            .extend(streams.split(", "));
    }
    // The operator's row names the streams that it does not follow.
    for name in NAMES.into_iter().filter(|name| *name != "operator") {
        let followed = rights::follows(name);
        let followed: BTreeSet<&str> = followed.iter().map(|stream| stream.name()).collect();
        assert_eq!(listed.remove(name).unwrap_or_default(), followed, "{name}");
    }
}
