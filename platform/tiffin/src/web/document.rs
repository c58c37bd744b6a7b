//! The two files of the build that depend on the configuration: the app's document and its service worker.

use std::{fs, path::Path};

use anyhow::{Context, Result, ensure};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The app's document with the configuration in it: a page starts without a request for it.
pub fn with_configuration(folder: &Path, configuration: &Value) -> Result<String> {
    let document = read(folder, "index.html")?;
    let (head, body) = document
        .split_once("</head>")
        .context("the web app's index.html has no </head>")?;
    // No value can end the script.
    let json = configuration.to_string().replace('<', "\\u003c");
    Ok(format!(
        r#"{head}<script type="application/json" id="configuration">{json}</script></head>{body}"#
    ))
}

/// The service worker. It names the configuration, so that browsers fetch the document again when the
/// configuration has changed.
pub fn worker(folder: &Path, configuration: &Value) -> Result<String> {
    let worker = read(folder, "sw.js")?;
    let hash = BASE64_STANDARD.encode(Sha256::digest(configuration.to_string()));
    Ok(format!("{worker}\n// Configuration {hash}\n"))
}

fn read(folder: &Path, name: &str) -> Result<String> {
    let file = folder.join(name);
    ensure!(
        file.is_file(),
        "there is no web app in {}: {name} is missing",
        folder.display()
    );
    fs::read_to_string(&file).with_context(|| file.display().to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn built() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let page = "<head><title>Tiffin</title></head><body></body>";
        fs::write(folder.path().join("index.html"), page).unwrap();
        fs::write(folder.path().join("sw.js"), "const FILES = []").unwrap();
        folder
    }

    #[test]
    fn a_value_stays_in_the_configuration() {
        let value = "</script><script>alert(1)</script>";
        let document = with_configuration(built().path(), &json!({ "anonKey": value })).unwrap();
        assert_eq!(document.matches("</script>").count(), 1, "{document}");
        let (_, rest) = document.split_once(r#"id="configuration">"#).unwrap();
        let (text, _) = rest.split_once("</script>").unwrap();
        let read: Value = serde_json::from_str(text).unwrap();
        assert_eq!(read["anonKey"], value);
    }

    #[test]
    fn a_changed_configuration_changes_the_worker() {
        let folder = built();
        let by = |key: &str| worker(folder.path(), &json!({ "anonKey": key })).unwrap();
        assert_eq!(by("a"), by("a"));
        assert_ne!(by("a"), by("b"));
    }
}
