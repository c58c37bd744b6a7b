use std::fs;

use tiffin_events::Clock;
use time::Duration;

use crate::bench::{Bench, STREAM, append, assert_holds, verify};

#[tokio::test]
async fn only_old_files_without_an_entry_are_deleted() {
    let bench = Bench::filled(40, 20).await;
    let archive = bench.archive();
    let last = archive.segments(STREAM).await.unwrap().pop().unwrap();
    fs::remove_file(bench.path().join(last.entry())).unwrap();
    let archive = bench.archive();
    append(&archive, 21..=40).await.unwrap();
    let now = Clock::system().now();
    assert_eq!(
        archive.remove_leftovers(STREAM, now).await.unwrap(),
        [""; 0]
    );
    let later = now + Duration::minutes(61);
    let removed = archive.remove_leftovers(STREAM, later).await.unwrap();
    assert_eq!(removed, [last.index_file(), last.file.clone()]);
    assert_eq!(
        archive.remove_leftovers(STREAM, later).await.unwrap(),
        [""; 0]
    );
    assert!(!bench.path().join(last.file).exists());
    assert_eq!(verify(&archive).await.leftovers, [""; 0]);
    assert_holds(&bench.archive(), 40).await;
}

#[tokio::test]
async fn nothing_is_deleted_while_an_entry_is_wrong() {
    let bench = Bench::filled(60, 20).await;
    let second = bench
        .archive()
        .segments(STREAM)
        .await
        .unwrap()
        .swap_remove(1);
    fs::remove_file(bench.path().join(second.entry())).unwrap();
    let later = Clock::system().now() + Duration::hours(2);
    bench
        .archive()
        .remove_leftovers(STREAM, later)
        .await
        .unwrap_err();
    assert!(bench.path().join(second.file).exists());
}
