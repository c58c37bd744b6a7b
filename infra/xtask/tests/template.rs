//! Holds the shape that every service has: the same thing lies in the same file everywhere.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The service without the template's files: the bridge has sockets instead of a store.
const BRIDGE: &str = "live";

/// The files of a service. The aggregates' rules have further files.
const FILES: [&str; 5] = ["lib.rs", "state.rs", "error.rs", "http.rs", "store.rs"];

/// Functions that `lib.rs` makes public, and the files they come from.
const PARTS: [(&str, &str); 3] = [
    ("consumers", "consume.rs"),
    ("batches", "consume.rs"),
    ("tasks", "tasks.rs"),
];

/// The source folders of the services.
fn services() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../services");
    let folders = fs::read_dir(root).unwrap().map(|entry| entry.unwrap());
    let services = folders.filter(|it| it.file_name() != BRIDGE);
    services.map(|it| it.path().join("src")).collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            all.extend(sources(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            all.push(path);
        }
    }
    all
}

/// The names of the functions that have an address.
fn endpoints(source: &str) -> Vec<&str> {
    let functions = source.split("#[utoipa::path(").skip(1);
    functions
        .map(|after| {
            let (_, name) = after.split_once("async fn ").unwrap();
            name.split('(').next().unwrap()
        })
        .collect()
}

#[test]
fn all_services_are_found() {
    let listed = tiffin_events::services::with_database().count();
    assert_eq!(services().len(), listed);
}

#[test]
fn every_service_has_the_files_of_the_template() {
    for service in services() {
        for file in FILES {
            assert!(
                service.join(file).is_file(),
                "{}: no {file}",
                service.display()
            );
        }
        for (function, file) in PARTS {
            for source in sources(&service) {
                let text = fs::read_to_string(&source).unwrap();
                let is_defined = text
                    .lines()
                    .any(|line| line.starts_with(&format!("pub fn {function}(")));
                let place = source.strip_prefix(&service).unwrap();
                let is_in_place = place == Path::new(file);
                assert!(
                    !is_defined || is_in_place,
                    "{}: `{function}` belongs to {file}",
                    source.display()
                );
            }
        }
    }
}

#[test]
fn a_file_with_one_endpoint_is_named_after_it() {
    let mut found = 0;
    for service in services() {
        let http = service.join("http");
        for source in sources(&http) {
            let text = fs::read_to_string(&source).unwrap();
            let [endpoint] = endpoints(&text)[..] else {
                continue;
            };
            found += 1;
            let name = source.file_stem().unwrap().to_str().unwrap();
            let is_nested = source.parent() != Some(&http);
            // A folder of a resource says the noun already.
            let is_named = if is_nested {
                name.contains(endpoint) || endpoint.contains(name)
            } else {
                name == endpoint
            };
            assert!(
                is_named,
                "{} has the endpoint `{endpoint}`",
                source.display()
            );
        }
    }
    assert!(found > 40, "{found} endpoints have their file");
}

#[test]
fn endpoints_are_handled_in_http_and_nowhere_else() {
    for service in services() {
        for source in sources(&service) {
            let text = fs::read_to_string(&source).unwrap();
            let is_http =
                source.starts_with(service.join("http")) || source == service.join("http.rs");
            assert!(
                is_http || endpoints(&text).is_empty(),
                "{} has an endpoint",
                source.display()
            );
        }
    }
}
