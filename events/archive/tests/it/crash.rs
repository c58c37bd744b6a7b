//! An archiver that dies at each step.

use std::sync::Arc;

use object_store::memory::InMemory;
use tiffin_archive::Archive;

use crate::{
    bench::{STREAM, append, assert_holds, read_all, verify},
    fragile::{Fault, Fragile},
};

const SIZE: u64 = 20;

#[tokio::test]
async fn a_crash_at_any_call_loses_nothing_and_doubles_nothing() {
    for fault in [Fault::Before, Fault::After] {
        let mut ends = Vec::new();
        for calls in 1.. {
            let objects = Arc::new(InMemory::new());
            let sound = Archive::on(objects.clone());
            append(&sound, 1..=SIZE).await.unwrap();
            let store = Arc::new(Fragile::new(objects.clone(), fault, calls));
            let outcome = append(&Archive::on(store.clone()), SIZE + 1..=2 * SIZE).await;
            assert_eq!(outcome.is_err(), store.is_broken(), "{fault:?} {calls}");
            if outcome.is_ok() {
                break;
            }

            // The next archiver, which knows nothing of the dead one.
            let next = Archive::on(objects);
            let end = next.end(STREAM).await.unwrap().unwrap();
            assert!(end == SIZE || end == 2 * SIZE, "{fault:?} {calls}: {end}");
            assert_eq!(read_all(&next).await.len() as u64, end);
            append(&next, end + 1..=3 * SIZE).await.unwrap();
            assert_holds(&next, 3 * SIZE).await;
            ends.push(end);
        }
        // Listing, entry before, file, index, both read back, entry, entry read back.
        assert!(ends.len() >= 7, "{ends:?}");
        assert!(ends.is_sorted() && ends.first() == Some(&SIZE), "{ends:?}");
        assert_eq!(
            ends.last(),
            Some(&(2 * SIZE)),
            "dead after the entry was created"
        );
    }
}

#[tokio::test]
async fn a_store_that_keeps_something_else_gets_no_entry() {
    let mut refused = 0;
    // The listing is the first call, then come the file and the index.
    for calls in [2, 3] {
        let objects = Arc::new(InMemory::new());
        let store = Arc::new(Fragile::new(objects.clone(), Fault::Flip, calls));
        let error = append(&Archive::on(store), 1..=SIZE).await.unwrap_err();
        assert!(error.to_string().contains("segment 1 of ORDERS"), "{error}");
        let next = Archive::on(objects);
        assert_eq!(next.end(STREAM).await.unwrap(), None);
        assert_eq!(verify(&next).await.leftovers.len(), 2);
        append(&next, 1..=SIZE).await.unwrap();
        assert_holds(&next, SIZE).await;
        refused += 1;
    }
    assert_eq!(refused, 2);
}
