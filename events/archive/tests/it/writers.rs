//! Two archivers at once.

use std::sync::Arc;

use futures_util::FutureExt;
use object_store::memory::InMemory;
use tiffin_archive::{Archive, ArchiveError};

use crate::{
    bench::{Bench, STREAM, append, assert_holds},
    fragile::Fragile,
};

#[tokio::test]
async fn the_slower_of_two_archivers_is_overtaken_and_loses_nothing() {
    let objects = Arc::new(InMemory::new());
    let faster = Archive::on(objects.clone());
    let hook = || async move { drop(append(&faster, 1..=30).await.unwrap()) }.boxed();
    let store = Fragile::hooked(objects.clone(), Box::new(hook));
    let slower = Archive::on(Arc::new(store));
    let error = append(&slower, 1..=20).await.unwrap_err();
    assert!(
        matches!(error, ArchiveError::Overtaken { number: 1, .. }),
        "{error}"
    );
    assert_eq!(slower.end(STREAM).await.unwrap(), Some(30));
    append(&slower, 31..=40).await.unwrap();
    assert_holds(&Archive::on(objects), 40).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_archivers_that_race_archive_each_message_once() {
    let bench = Bench::new();
    race(|| bench.archive()).await;
}

/// Fills an archive by two archivers at once, and asserts that it has each message once.
pub async fn race(archive: impl Fn() -> Archive) {
    const LAST: u64 = 300;
    let fill = async |archive: Archive, size: u64| {
        loop {
            let end = archive.end(STREAM).await.unwrap().unwrap_or(0);
            if end >= LAST {
                return;
            }
            match append(&archive, end + 1..=LAST.min(end + size)).await {
                Ok(_) | Err(ArchiveError::Overtaken { .. } | ArchiveError::NotNext { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    };
    tokio::join!(fill(archive(), 7), fill(archive(), 11));
    assert_holds(&archive(), LAST).await;
}
