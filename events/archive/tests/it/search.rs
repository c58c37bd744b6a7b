//! A search finds exactly what a plain scan of all messages finds, page by page.

use rand::{Rng, RngExt, SeedableRng, rngs::StdRng};
use tiffin_archive::{Archive, Message, Query};
use tiffin_events::RawEnvelope;
use time::Duration;
use uuid::Uuid;

use crate::bench::{BEGIN, Bench, NAMES, STREAM, id, messages};

/// The first segment has several row groups.
const LAST: u64 = 13_000;
const SIZE: u64 = 9_000;
const QUERIES: usize = 120;

fn passes(message: &Message, event: Option<&RawEnvelope>, query: &Query) -> bool {
    let time = event.map_or(message.stored_at, |event| event.time);
    let is = |field: fn(&RawEnvelope) -> String, wanted: Option<String>| {
        wanted.is_none_or(|wanted| event.is_some_and(|event| field(event) == wanted))
    };
    let text = |id: Uuid| id.to_string();
    query
        .times
        .as_ref()
        .is_none_or(|times| times.contains(&time))
        && is(|it| it.subject.to_string(), query.aggregate.map(text))
        && is(
            |it| it.correlationid.unwrap().to_string(),
            query.correlation.map(text),
        )
        && is(|it| it.kind.clone(), query.kind.clone())
        && is(|it| it.actor.clone(), query.actor.clone())
}

fn any_query(random: &mut impl Rng) -> Query {
    let mut query = Query {
        limit: random.random_range(1..400),
        ..Query::default()
    };
    let some_order = |random: &mut StdRng| id(1, random.random_range(0..2_700));
    let mut random = StdRng::seed_from_u64(random.random());
    if random.random_bool(0.4) {
        query.aggregate = Some(some_order(&mut random));
    }
    if random.random_bool(0.2) {
        query.correlation = query.aggregate.or(Some(some_order(&mut random)));
    }
    if random.random_bool(0.3) {
        let name = NAMES[random.random_range(0..NAMES.len())];
        query.kind = Some(format!("tiffin.order.{name}.v1"));
    }
    if random.random_bool(0.3) {
        query.actor = Some(id(3, random.random_range(0..25)).to_string());
    }
    if random.random_bool(0.4) {
        let from = BEGIN + Duration::seconds(random.random_range(-500..14_000));
        query.times = Some(from..from + Duration::seconds(random.random_range(0..4_000)));
    }
    query
}

/// All pages together.
async fn search(archive: &Archive, mut query: Query) -> Vec<Message> {
    let mut all = Vec::new();
    loop {
        let page = archive.search(STREAM, &query).await.unwrap();
        assert!(page.messages.len() <= query.limit);
        assert!(page.next.is_none() || page.messages.len() == query.limit);
        all.extend(page.messages);
        match page.next {
            Some(next) => query.after = Some(next),
            None => return all,
        }
    }
}

/// The messages of all segments that may match, newest first.
async fn by_segment(archive: &Archive, query: Query) -> Vec<Message> {
    let query = Query {
        limit: usize::MAX,
        ..query
    };
    let mut all = Vec::new();
    for segment in archive.segments(STREAM).await.unwrap().iter().rev() {
        let found = archive.search_segment(segment, &query).await.unwrap();
        let may_match = archive.may_match(segment, &query).await.unwrap();
        assert!(may_match || found.is_empty(), "{query:?}");
        all.extend(found);
    }
    all
}

#[tokio::test]
async fn a_search_equals_a_plain_scan() {
    let bench = Bench::filled(LAST, SIZE).await;
    let archive = bench.archive();
    let newest = messages(1..=LAST).into_iter().rev();
    let event = |message: &Message| serde_json::from_slice(&message.body).ok();
    let newest = newest.map(|message| (event(&message), message));
    let newest: Vec<(Option<RawEnvelope>, Message)> = newest.collect();
    let mut random = StdRng::seed_from_u64(7);
    let mut found = 0;
    for _ in 0..QUERIES {
        let mut query = any_query(&mut random);
        let wanted = newest.iter();
        let wanted = wanted.filter(|(event, message)| passes(message, event.as_ref(), &query));
        let wanted: Vec<Message> = wanted.map(|(_, message)| message.clone()).collect();
        // Pages of a message each would take long.
        query.limit = query.limit.max(wanted.len() / 5);
        assert!(search(&archive, query.clone()).await == wanted, "{query:?}");
        assert!(
            by_segment(&archive, query.clone()).await == wanted,
            "{query:?}"
        );
        found += usize::from(!wanted.is_empty());
    }
    assert!(found > QUERIES / 4, "{found} found something");
}

#[tokio::test]
async fn a_search_opens_no_segment_that_the_index_excludes() {
    let bench = Bench::filled(2_000, 500).await;
    let archive = bench.archive();
    let query = Query {
        aggregate: Some(id(1, 107)),
        ..Query::default()
    };
    let wanted = archive.search(STREAM, &query).await.unwrap();
    assert_eq!(wanted.messages.len(), 5);
    // Orders of a hundred live in one segment each, and its predecessor's last message.
    for segment in archive.segments(STREAM).await.unwrap() {
        let has_some = |it: &Message| segment.range().contains(&it.stream_sequence);
        if !wanted.messages.iter().any(has_some) {
            std::fs::remove_file(bench.path().join(segment.file)).unwrap();
        }
    }
    assert_eq!(archive.search(STREAM, &query).await.unwrap(), wanted);
    archive.search(STREAM, &Query::default()).await.unwrap_err();
}
