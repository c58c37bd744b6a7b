//! The hosted backend's own JavaScript client against this service, on a real socket.

#![expect(
    clippy::expect_used,
    reason = "a failure in here is the failure of the test that called"
)]

use std::{path::Path, process::Stdio};

use tokio::process::Command;

use crate::fixture::{Fixture, KEY, OWNER};

#[tokio::test]
async fn the_stock_client_uploads_finds_and_removes_pictures() {
    let fixture = Fixture::new().await;
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stock-client");
    for name in ["package.json", "package-lock.json", "check.mjs"] {
        std::fs::copy(source.join(name), folder.path().join(name)).unwrap();
    }
    run(Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund", "--silent"])
        .current_dir(folder.path()))
    .await;
    run(Command::new("node")
        .arg("check.mjs")
        .env("STORAGE_URL", format!("{}/storage/v1", fixture.app.url))
        .env("ANON_KEY", KEY)
        .env("TOKEN", fixture.token(OWNER))
        .current_dir(folder.path()))
    .await;
    assert_eq!(fixture.files(), 1, "the anonymous picture alone is left");
}

async fn run(command: &mut Command) {
    let output = command
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .expect("Node.js and npm");
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
