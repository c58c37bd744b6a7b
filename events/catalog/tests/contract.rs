//! Holds the contract still: frozen samples, committed schemas and the catalogue in the README.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

use std::{collections::BTreeSet, fmt::Write as _, fs, path::PathBuf};

use serde_json::Value;
use tiffin_events::{
    Envelope, catalogue, personal,
    services::{self, SERVICES},
};

fn here(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Compares a generated text with the committed one; `TIFFIN_GENERATE=1` writes it instead.
fn assert_generated(path: &str, text: &str) {
    let path = here(path);
    if std::env::var_os("TIFFIN_GENERATE").is_some() {
        fs::write(&path, text).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == text,
        "{} is not what the code says: run `cargo xtask generate`",
        path.display()
    );
}

#[test]
fn every_event_reads_its_frozen_sample_and_writes_it_back_unchanged() {
    for entry in catalogue::entries() {
        let path = here(&format!("samples/{}.json", entry.kind));
        let text =
            fs::read_to_string(&path).unwrap_or_else(|_| panic!("{} has no sample", entry.kind));
        let frozen: Value = serde_json::from_str(&text).unwrap();
        let envelope: Envelope = serde_json::from_value(frozen.clone()).unwrap();
        assert_eq!(envelope.kind, entry.kind);
        assert_eq!(
            serde_json::to_value(&envelope).unwrap(),
            frozen,
            "{}: the envelope",
            entry.kind
        );
        let written = (entry.round_trip)(&envelope.data);
        assert_eq!(
            written.as_ref(),
            Some(&frozen["data"]),
            "{}: the payload",
            entry.kind
        );
    }
}

#[test]
fn no_sample_is_left_of_an_event_that_is_gone() {
    let known: BTreeSet<String> = catalogue::entries()
        .iter()
        .map(|entry| format!("{}.json", entry.kind))
        .collect();
    for folder in ["samples", "schemas"] {
        for file in fs::read_dir(here(folder)).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            assert!(known.contains(&name), "{folder}/{name} belongs to no event");
        }
    }
}

#[test]
fn the_schemas_are_what_the_types_say() {
    for entry in catalogue::entries() {
        let mut schema = (entry.schema)();
        schema.insert(
            "$id".to_owned(),
            Value::from(format!("urn:tiffin:event:{}", entry.kind)),
        );
        schema.insert("description".to_owned(), Value::from(entry.description));
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        assert_generated(&format!("schemas/{}.json", entry.kind), &text);
    }
}

#[test]
fn every_subject_is_kept_by_the_stream_it_names() {
    for entry in catalogue::entries() {
        let words: Vec<&str> = entry.subject.split('.').collect();
        let kept = entry.stream.subjects().iter().any(|pattern| {
            let pattern: Vec<&str> = pattern.split('.').collect();
            pattern.len() == words.len()
                && pattern
                    .iter()
                    .zip(&words)
                    .all(|(kept, word)| *kept == "*" || kept == word)
        });
        assert!(kept, "{} is not kept in {}", entry.subject, entry.stream);
    }
}

#[test]
fn the_readme_lists_every_event() {
    let mut table = String::from(
        "| type | stream | published by | what happened | personal fields |\n|---|---|---|---|---|\n",
    );
    for entry in catalogue::entries() {
        writeln!(
            table,
            "| `{}` | {} | {} | {} | {} |",
            entry.kind,
            entry.stream,
            entry.service,
            entry.description,
            personal::summary(entry.kind)
        )
        .unwrap();
    }
    let readme = fs::read_to_string(here("README.md")).unwrap();
    let (head, rest) = readme.split_once("<!-- catalogue -->\n").unwrap();
    let (_, tail) = rest.split_once("<!-- end of catalogue -->").unwrap();
    let text = format!("{head}<!-- catalogue -->\n{table}<!-- end of catalogue -->{tail}");
    assert_generated("README.md", &text);
}

#[test]
fn the_files_made_of_the_list_of_services_are_those_of_the_code() {
    assert_generated("../../infra/postgres/databases.sql", &services::databases());
    assert_generated("../../web/src/lib/services.ts", &services::typescript());
}

#[test]
fn no_two_services_answer_the_same_path_or_port() {
    for (at, one) in SERVICES.iter().enumerate() {
        for other in &SERVICES[at + 1..] {
            assert_ne!(one.port, other.port);
            let mut paths = one
                .paths
                .iter()
                .flat_map(|path| other.paths.iter().map(move |it| (path, it)));
            let clash = paths.find(|(a, b)| a.starts_with(**b) || b.starts_with(**a));
            assert_eq!(clash, None, "{} and {}", one.name, other.name);
        }
    }
}

#[test]
fn the_brokers_users_are_those_of_the_catalogue() {
    assert_generated(
        "../../infra/nats/users.conf",
        &tiffin_events::rights::users_conf(),
    );
}
