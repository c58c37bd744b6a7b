//! An archive that is not as it was written: each damage is refused with its place.

use std::{fs, path::PathBuf};

use tiffin_archive::{ArchiveError, Filter, Query, Segment};

use crate::bench::{Bench, EVERYTHING, STREAM, append, id, messages, order_of, read, verify};

const SIZE: u64 = 30;

/// Three segments, and the second one's entry.
async fn three() -> (Bench, Segment) {
    let bench = Bench::filled(3 * SIZE, SIZE).await;
    let [_, second, _] =
        <[_; 3]>::try_from(bench.archive().segments(STREAM).await.unwrap()).unwrap();
    (bench, second)
}

/// Fails unless the first segment is given out and then an error with this place, and the verification finds it.
async fn assert_refused(bench: &Bench, place: (u64, &str)) -> ArchiveError {
    let (given, error) = read(&bench.archive(), EVERYTHING, Filter::all()).await;
    let error = error.unwrap();
    assert_eq!(error.place(), Some(place), "{error}");
    let given_before = SIZE * (place.0 - 1);
    assert!(given == messages(1..=given_before), "{} given", given.len());
    assert_found(bench, place).await;
    error
}

async fn assert_found(bench: &Bench, (segment, file): (u64, &str)) {
    let report = verify(&bench.archive()).await;
    let is_there = |it: &tiffin_archive::Finding| it.segment == segment && it.file == file;
    assert!(
        report.findings.iter().any(is_there),
        "{:?}",
        report.findings
    );
    let sentence = report.findings.first().unwrap().problem.clone();
    assert!(
        sentence.contains(file) && sentence.contains("ORDERS"),
        "{sentence}"
    );
}

/// Calls `check` with every `step`th byte of a file flipped in one bit.
async fn with_flips(path: PathBuf, step: usize, check: impl AsyncFn(usize)) {
    let whole = fs::read(&path).unwrap();
    for at in (0..whole.len()).step_by(step) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at / step % 8);
        fs::write(&path, bytes).unwrap();
        check(at).await;
    }
    fs::write(&path, whole).unwrap();
}

#[tokio::test]
async fn a_flipped_bit_in_a_file_is_refused() {
    let (bench, second) = three().await;
    let file = &second.file;
    with_flips(bench.path().join(file), 211, async |at| {
        let error = assert_refused(&bench, (2, file)).await;
        assert!(
            matches!(error, ArchiveError::Altered { .. }),
            "{at}: {error}"
        );
        let message = bench.archive().message(STREAM, SIZE + 1).await;
        assert!(message.is_err(), "{at}");
    })
    .await;
    assert_eq!(verify(&bench.archive()).await.findings, []);
}

#[tokio::test]
async fn a_flipped_bit_in_an_entry_is_refused() {
    let (bench, second) = three().await;
    let entry = second.entry();
    with_flips(bench.path().join(&entry), 3, async |_| {
        assert_refused(&bench, (2, &entry)).await;
        let archive = bench.archive();
        assert!(archive.segments(STREAM).await.is_err());
        assert!(archive.search(STREAM, &Query::default()).await.is_err());
        assert!(append(&archive, 3 * SIZE + 1..=3 * SIZE + 1).await.is_err());
    })
    .await;
    assert_eq!(verify(&bench.archive()).await.findings, []);
}

#[tokio::test]
async fn a_flipped_bit_in_an_index_is_refused_where_it_is_needed() {
    let (bench, second) = three().await;
    let index = second.index_file();
    let filter = Filter::of(["tiffin.order.*.placed"]).unwrap();
    with_flips(bench.path().join(&index), 97, async |at| {
        let archive = bench.archive();
        let (_, error) = read(&archive, EVERYTHING, filter.clone()).await;
        assert_eq!(error.unwrap().place(), Some((2, &*index)), "{at}");
        let aggregate = Some(id(1, order_of(1)));
        let query = Query {
            aggregate,
            ..Query::default()
        };
        let error = archive.search(STREAM, &query).await.unwrap_err();
        assert_eq!(error.place(), Some((2, &*index)), "{at}");
        assert_found(&bench, (2, &index)).await;
    })
    .await;
}

#[tokio::test]
async fn a_file_that_is_cut_off_or_missing_is_refused() {
    let (bench, second) = three().await;
    let path = bench.path().join(&second.file);
    let whole = fs::read(&path).unwrap();
    for length in [0, 1, whole.len() / 2, whole.len() - 1] {
        fs::write(&path, whole.get(..length).unwrap()).unwrap();
        let error = assert_refused(&bench, (2, &second.file)).await;
        assert!(
            matches!(error, ArchiveError::WrongSize { .. }),
            "{length}: {error}"
        );
    }
    fs::remove_file(&path).unwrap();
    let error = assert_refused(&bench, (2, &second.file)).await;
    assert!(matches!(error, ArchiveError::Missing { .. }), "{error}");
}

#[tokio::test]
async fn a_missing_entry_is_refused() {
    for number in [1, 2] {
        let bench = three().await.0;
        let segments = bench.archive().segments(STREAM).await.unwrap();
        let entry = segments.get(number - 1).unwrap().entry();
        fs::remove_file(bench.path().join(&entry)).unwrap();
        let error = assert_refused(&bench, (number as u64, &entry)).await;
        assert!(matches!(error, ArchiveError::NoEntry { .. }), "{error}");
    }
}

#[tokio::test]
async fn the_file_of_a_last_entry_that_is_missing_is_a_leftover() {
    let (bench, _) = three().await;
    let third = bench
        .archive()
        .segments(STREAM)
        .await
        .unwrap()
        .pop()
        .unwrap();
    fs::remove_file(bench.path().join(third.entry())).unwrap();
    let report = verify(&bench.archive()).await;
    assert_eq!(report.last, Some(2 * SIZE));
    assert_eq!(report.leftovers, [third.index_file(), third.file]);
}

/// Copies a segment from one archive to another.
fn copy(segment: &Segment, from: &Bench, to: &Bench) {
    for file in [segment.entry(), segment.file.clone(), segment.index_file()] {
        let place = to.path().join(&file);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::copy(from.path().join(&file), place).unwrap();
    }
}

#[tokio::test]
async fn a_segment_of_another_history_breaks_the_chain() {
    let (bench, second) = three().await;
    // It has the same first segment and a different, valid second one.
    let (other, first) = (
        Bench::new(),
        &bench.archive().segments(STREAM).await.unwrap()[0],
    );
    copy(first, &bench, &other);
    let (archive, some) = (other.archive(), messages(SIZE + 1..=SIZE + 9));
    let forged = archive
        .append(STREAM, SIZE + 1..=2 * SIZE, &some)
        .await
        .unwrap();
    assert_eq!(second.entry(), forged.entry());
    copy(&forged, &other, &bench);
    let (given, error) = read(&bench.archive(), EVERYTHING, Filter::all()).await;
    let error = error.unwrap();
    assert!(
        matches!(error, ArchiveError::BrokenChain { number: 3, .. }),
        "{error}"
    );
    assert!(given == messages(1..=SIZE + 9), "{} given", given.len());
    let third = entry_after(&forged);
    assert_found(&bench, (3, &third)).await;
}

fn entry_after(segment: &Segment) -> String {
    let number = segment.number + 1;
    segment
        .entry()
        .replace(&format!("{:020}", segment.number), &format!("{number:020}"))
}
