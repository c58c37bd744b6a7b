use std::{ops::Range, process::Command, time::Duration};

use rand::RngExt;
use tempfile::TempDir;

/// Waits for a place up to three minutes.
const MAX_LOOKS: u32 = 1_800;
const PAUSE: Duration = Duration::from_millis(100);

/// Starts a process and kills it (SIGKILL): at a place where `TIFFIN_FAULT` stops it, or without one after a random
/// number of milliseconds.
pub async fn kill_at(process: &mut Command, place: Option<&str>, milliseconds: Range<u64>) {
    let folder = TempDir::new().expect("a temporary folder");
    let reached = folder.path().join("reached");
    if let Some(place) = place {
        process.env("TIFFIN_FAULT", format!("{place}:{}", reached.display()));
    }
    let mut process = process.spawn().expect("a process");
    if let Some(place) = place {
        let mut looks = 0;
        while !reached.exists() {
            looks += 1;
            assert!(looks < MAX_LOOKS, "{place} is not reached");
            tokio::time::sleep(PAUSE).await;
        }
    } else {
        let pause = rand::rng().random_range(milliseconds);
        tokio::time::sleep(Duration::from_millis(pause)).await;
    }
    let ended = process.try_wait().expect("its state");
    assert_eq!(ended, None, "it ended by itself");
    process.kill().expect("a kill");
    process.wait().expect("its end");
}
