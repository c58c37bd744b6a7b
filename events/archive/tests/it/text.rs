//! Looking for a text in everything.

use std::sync::Mutex;

use tiffin_archive::{Message, Progress, TextScan};
use tokio_util::sync::CancellationToken;

use crate::bench::{Bench, STREAM, messages};

const LAST: u64 = 2_000;

fn scan(text: &str, limit: usize) -> TextScan {
    TextScan {
        text: text.to_owned(),
        after: None,
        limit,
    }
}

fn wanted(text: &str) -> Vec<Message> {
    let has_text = |bytes: &[u8]| bytes.windows(text.len()).any(|it| it == text.as_bytes());
    let mut wanted = messages(1..=LAST);
    wanted.retain(|it| has_text(&it.body) || has_text(it.subject.as_bytes()));
    wanted.reverse();
    wanted
}

#[tokio::test]
async fn a_text_is_found_page_by_page_and_the_progress_is_said() {
    let bench = Bench::filled(LAST, 500).await;
    let archive = bench.archive();
    for text in ["Kottu no. 7\"", ".dispatched", "no such text"] {
        let mut scan = scan(text, 60);
        let mut found = Vec::new();
        loop {
            let stop = CancellationToken::new();
            let page = archive
                .scan_text(STREAM, &scan, |_| {}, &stop)
                .await
                .unwrap();
            found.extend(page.messages);
            match page.next {
                Some(next) => scan.after = Some(next),
                None => break,
            }
        }
        assert!(found == wanted(text), "{text}: {} found", found.len());
    }
    let mut said = Vec::new();
    let stop = CancellationToken::new();
    let all = scan("Kottu", 10_000);
    archive
        .scan_text(STREAM, &all, |it| said.push(it), &stop)
        .await
        .unwrap();
    let steps = (1..=4).map(|segments| Progress {
        segments,
        of: 4,
        messages: segments * 500,
    });
    assert_eq!(said, steps.collect::<Vec<_>>());
}

#[tokio::test]
async fn a_stopped_scan_says_where_to_go_on() {
    let bench = Bench::filled(LAST, 500).await;
    let archive = bench.archive();
    let (stop, seen) = (CancellationToken::new(), Mutex::new(0));
    let mut scan = scan("Kottu no. 7\"", 10_000);
    let stopping = |progress: Progress| {
        *seen.lock().unwrap() = progress.segments;
        stop.cancel();
    };
    let first = archive
        .scan_text(STREAM, &scan, stopping, &stop)
        .await
        .unwrap();
    assert_eq!((first.next, *seen.lock().unwrap()), (Some(1_501), 1));
    scan.after = first.next;
    let unstopped = CancellationToken::new();
    let rest = archive
        .scan_text(STREAM, &scan, |_| {}, &unstopped)
        .await
        .unwrap();
    assert_eq!(rest.next, None);
    let found = [first.messages, rest.messages].concat();
    assert!(found == wanted("Kottu no. 7\""), "{} found", found.len());
}
