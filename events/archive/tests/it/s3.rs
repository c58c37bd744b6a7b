//! The archive in a bucket, by the protocol of S3.

use tiffin_archive::{Archive, ArchiveError};
use tiffin_testkit::TestS3;

use crate::{
    bench::{STREAM, append, assert_holds, messages, read_all},
    writers::race,
};

/// An archive that has read nothing yet.
fn archive(store: &TestS3) -> Archive {
    Archive::remote(&store.url().parse().unwrap(), store.settings()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bucket_holds_an_archive_as_a_folder_does() {
    let store = TestS3::start().await;
    for range in [1..=400, 401..=800, 801..=1_000] {
        append(&archive(&store), range).await.unwrap();
    }
    assert_eq!(archive(&store).end(STREAM).await.unwrap(), Some(1_000));
    assert_eq!(read_all(&archive(&store)).await, messages(1..=1_000));
    assert_holds(&archive(&store), 1_000).await;
    let again = append(&archive(&store), 801..=1_000).await.unwrap_err();
    assert!(matches!(again, ArchiveError::NotNext { .. }), "{again}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_archivers_of_a_bucket_archive_each_message_once() {
    let store = TestS3::start().await;
    race(|| archive(&store)).await;
}

#[tokio::test]
async fn a_bucket_that_does_not_answer_is_an_error_that_names_the_file() {
    let store = TestS3::start().await;
    append(&archive(&store), 1..=20).await.unwrap();
    let opened = archive(&store);
    drop(store);
    let error = append(&opened, 21..=40).await.unwrap_err();
    assert!(error.to_string().contains("ORDERS/"), "{error}");
}
