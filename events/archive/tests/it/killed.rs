//! An archiver whose process is killed (SIGKILL) at random moments.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use rand::RngExt;
use tiffin_archive::{Archive, ArchiveError};

use crate::bench::{Bench, STREAM, append, assert_holds};

const KILLS: u32 = 50;
const SIZE: u64 = 10;
/// The folder of the archive that the process writes to.
const FOLDER: &str = "TIFFIN_TEST_ARCHIVE";

/// The file that says up to where the source forgot its messages, as a stream would after each segment.
fn forgotten_file(folder: &Path) -> PathBuf {
    folder.with_file_name("forgotten")
}

fn forgotten(folder: &Path) -> u64 {
    let text = fs::read_to_string(forgotten_file(folder)).unwrap_or_default();
    text.parse().unwrap_or(0)
}

/// Not a test by itself: the process that the next one starts and kills.
#[tokio::test]
#[ignore = "started and killed by another test"]
async fn the_process_that_is_killed() {
    let folder = PathBuf::from(std::env::var_os(FOLDER).unwrap());
    let archive = Archive::folder(folder.clone());
    loop {
        let end = archive.end(STREAM).await.unwrap().unwrap_or(0);
        // The source has nothing before this any more.
        assert!(end >= forgotten(&folder));
        match append(&archive, end + 1..=end + SIZE).await {
            Ok(segment) => {
                let fresh = folder.with_file_name("fresh");
                fs::write(&fresh, segment.last.to_string()).unwrap();
                fs::rename(&fresh, forgotten_file(&folder)).unwrap();
            }
            Err(ArchiveError::Overtaken { .. } | ArchiveError::NotNext { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

fn start(folder: &Path) -> Child {
    let test = "killed::the_process_that_is_killed";
    Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", test])
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[tokio::test]
async fn killed_at_random_moments_an_archiver_loses_nothing_and_doubles_nothing() {
    let bench = Bench::new();
    let folder = bench.path();
    let mut moved = 0;
    for kill in 0..KILLS {
        let before = forgotten(&folder);
        let mut process = start(&folder);
        // The first segments take the longest; then any moment will do.
        while kill == 0 && forgotten(&folder) == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let pause = rand::rng().random_range(10..200);
        tokio::time::sleep(Duration::from_millis(pause)).await;
        assert_eq!(process.try_wait().unwrap(), None, "it ended by itself");
        process.kill().unwrap();
        process.wait().unwrap();
        let end = bench.archive().end(STREAM).await.unwrap().unwrap_or(0);
        assert!(end >= forgotten(&folder), "{end} after kill {kill}");
        moved += u32::from(forgotten(&folder) > before);
    }
    assert!(moved > 0);
    let end = bench.archive().end(STREAM).await.unwrap().unwrap();
    append(&bench.archive(), end + 1..=end + SIZE)
        .await
        .unwrap();
    assert_holds(&bench.archive(), end + SIZE).await;
}
