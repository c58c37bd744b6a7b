use bytes::Bytes;
use tiffin_archive::{ArchiveError, Filter, Message};
use time::{Duration, OffsetDateTime};

use crate::bench::{
    BEGIN, Bench, EVERYTHING, STREAM, append, id, message, messages, read, read_all, verify,
};

/// Messages as a stream may hold them, though no service publishes such.
fn odd() -> Vec<Message> {
    let long = vec![7; 70_000];
    let bodies: [&[u8]; 6] = [
        b"",
        b"\0\xff\xfe",
        b"{}",
        b"\"text\"",
        b"{ \"id\": 7 }",
        &long,
    ];
    let odd = (3..).zip(bodies).map(|(stream_sequence, body)| Message {
        stream_sequence: stream_sequence * 2,
        stored_at: OffsetDateTime::UNIX_EPOCH - Duration::nanoseconds(1),
        subject: format!("odd.\u{0dc3}\u{0dd2}.{stream_sequence}"),
        headers: [
            ("Name".to_owned(), "a \"quoted\"\r\n value".to_owned()),
            ("Name".to_owned(), String::new()),
            ("name".to_owned(), "\u{0}\u{1f35b}".to_owned()),
        ]
        .into_iter()
        .collect(),
        body: Bytes::copy_from_slice(body),
    });
    odd.collect()
}

#[tokio::test]
async fn odd_messages_come_back_byte_for_byte() {
    let bench = Bench::new();
    let segment = bench
        .archive()
        .append(STREAM, 2..=40, &odd())
        .await
        .unwrap();
    assert_eq!((segment.first, segment.last, segment.count), (2, 40, 6));
    let archive = bench.archive();
    assert_eq!(read_all(&archive).await, odd());
    assert_eq!(archive.segments(STREAM).await.unwrap(), [segment]);
    assert_eq!(archive.end(STREAM).await.unwrap(), Some(40));
    assert_eq!(
        archive.message(STREAM, 8).await.unwrap(),
        odd().get(1).cloned()
    );
    for gone in [0, 1, 2, 7, 40, 41] {
        assert_eq!(archive.message(STREAM, gone).await.unwrap(), None, "{gone}");
    }
    assert_eq!(verify(&archive).await.findings, []);
}

#[tokio::test]
async fn each_stream_has_an_archive_and_an_empty_one_has_no_end() {
    let bench = Bench::filled(5, 5).await;
    let archive = bench.archive();
    let other = tiffin_events::Stream::Payments;
    assert_eq!(archive.end(other).await.unwrap(), None);
    archive
        .append(other, 90..=90, &messages(90..=90))
        .await
        .unwrap();
    assert_eq!(archive.end(other).await.unwrap(), Some(90));
    assert_eq!(archive.end(STREAM).await.unwrap(), Some(5));
}

#[tokio::test]
async fn a_range_and_a_filter_choose_the_messages() {
    // The first segment has several row groups.
    let bench = Bench::new();
    let archive = bench.archive();
    append(&archive, 1..=9_000).await.unwrap();
    append(&archive, 9_001..=9_500).await.unwrap();
    let all = messages(1..=9_500);
    let order = format!("tiffin.order.{}.*", id(1, 107));
    for range in [
        1..=1,
        4_096..=4_097,
        8_999..=9_002,
        9_500..=u64::MAX,
        EVERYTHING,
        20_000..=u64::MAX,
    ] {
        for patterns in [
            &[][..],
            &["tiffin.order.*.placed"],
            &[&order, "none.>"],
            &["tiffin.user.*.*"],
        ] {
            let filter = Filter::of(patterns).unwrap();
            let (found, error) = read(&archive, range.clone(), filter.clone()).await;
            assert!(error.is_none(), "{error:?}");
            let wanted = all.iter().filter(|message| {
                range.contains(&message.stream_sequence) && filter.matches(&message.subject)
            });
            assert!(found.iter().eq(wanted), "{range:?} {patterns:?}");
        }
    }
}

#[tokio::test]
async fn what_does_not_follow_is_refused() {
    let bench = Bench::filled(10, 10).await;
    let archive = bench.archive();
    for (covered, given) in [(10..=20, 11..=20), (12..=20, 12..=20), (1..=10, 1..=10)] {
        let refused = archive.append(STREAM, covered, &messages(given)).await;
        assert!(
            matches!(refused, Err(ArchiveError::NotNext { end: 10, .. })),
            "{refused:?}"
        );
    }
    let unordered = [message(12), message(11)];
    let twice = [message(11), message(11)];
    let outside = [message(11), message(21)];
    for (given, place) in [(unordered, 11), (twice, 11), (outside, 21)] {
        let refused = archive.append(STREAM, 11..=20, &given).await;
        let is_refused =
            matches!(&refused, Err(ArchiveError::Disorder { sequence, .. }) if *sequence == place);
        assert!(is_refused, "{refused:?}");
    }
    let refused = archive.append(STREAM, 11..=20, &[]).await;
    assert!(
        matches!(refused, Err(ArchiveError::Empty { .. })),
        "{refused:?}"
    );
    let late = Message {
        stored_at: BEGIN.replace_year(2300).unwrap(),
        ..message(11)
    };
    let refused = archive.append(STREAM, 11..=20, &[late]).await;
    assert!(
        matches!(refused, Err(ArchiveError::Unwritable { sequence: 11, .. })),
        "{refused:?}"
    );
    append(&archive, 11..=20).await.unwrap();
}
