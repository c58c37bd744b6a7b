//! Holds the rules for Prometheus to the metrics that exist.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text of all Rust sources below a folder.
fn sources(folder: &Path) -> String {
    let entries = fs::read_dir(folder).unwrap();
    let texts = entries.map(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path)
        } else if path.extension().is_some_and(|it| it == "rs") {
            fs::read_to_string(path).unwrap()
        } else {
            String::new()
        }
    });
    texts.collect()
}

#[test]
fn every_alert_is_about_a_metric_that_a_service_reports_and_the_manual_explains() {
    let rules = fs::read_to_string(root().join("infra/prometheus/alerts.yml")).unwrap();
    let words = rules.split(|c: char| !c.is_ascii_lowercase() && c != '_');
    let metrics: BTreeSet<&str> = words.filter(|it| it.starts_with("tiffin_")).collect();
    assert!(!metrics.is_empty());
    let reported: String = ["events", "services", "platform"]
        .iter()
        .map(|folder| sources(&root().join(folder)))
        .collect();
    let manual = fs::read_to_string(root().join("docs/operations.md")).unwrap();
    for metric in metrics {
        assert!(reported.contains(&format!("\"{metric}\"")), "{metric}");
        assert!(
            manual.contains(metric),
            "{metric} is not in docs/operations.md"
        );
    }
}
