//! The log and the archive, read as one.

use serde_json::{Value, json};
use tiffin_events::Stream;
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};

use crate::{
    fixture::{Fixture, List, eventually},
    moved::{self, Ordered, pages},
};

/// Every answer about events, by its question. Operations are left out: asking makes some.
async fn answers(
    fixture: &Fixture,
    orders: &[Ordered],
    until: OffsetDateTime,
) -> Vec<(String, Value)> {
    let until = until.format(&Rfc3339).unwrap();
    let (first, last) = (&orders[0], &orders[orders.len() - 1]);
    let actor = "01930000-0000-7000-8000-000000000001";
    let half = last.id.get_timestamp().unwrap().to_unix().0;
    let half = OffsetDateTime::from_unix_timestamp(i64::try_from(half).unwrap()).unwrap();
    let half = half.format(&Rfc3339).unwrap();
    let mut queries = vec![
        format!("?to={until}&limit=500"),
        format!("?to={until}&limit=2"),
        format!("?to={until}&limit=7"),
        format!("?to={half}&limit=3"),
        format!("?from={half}&to={until}&limit=3"),
        format!("?actor={actor}&to={until}"),
        format!("?actor={actor}&to={until}&limit=1"),
        "?stream=ORDERS&limit=1".to_owned(),
        "?stream=ORDERS&seq=2-5".to_owned(),
        "?stream=DELIVERIES&type=tiffin.delivery.created.v1".to_owned(),
        "?type=tiffin.order.placed.v1&limit=2".to_owned(),
        "?stream=ORDERS&q=nosuchword".to_owned(),
        "?q=kottu -nosuchword&limit=2".to_owned(),
        "?q=Galle&stream=ORDERS".to_owned(),
        "?q=Galle&stream=ORDERS&reveal=a test&limit=2".to_owned(),
    ];
    for order in [first, last] {
        queries.push(format!("?correlation={}&limit=2", order.id));
        queries.push(format!("?aggregate={}", order.id));
        queries.push(format!("?q={}&limit=1", order.code.to_lowercase()));
    }
    let mut answers = Vec::new();
    for query in queries {
        let all = pages(fixture, &format!("/events{query}")).await;
        answers.push((query, json!(all)));
    }
    for order in [first, last] {
        for key in [order.id.to_string(), order.code.clone()] {
            let path = format!("/timeline/{key}");
            answers.push((path.clone(), fixture.get(&path).await.body));
        }
    }
    for path in [
        "/events/ORDERS/1",
        "/events/ORDERS/8",
        "/events/NOTIFICATIONS/1?reveal=a%20test",
        "/events/PAYMENTS/99",
    ] {
        let answer = fixture.get(path).await;
        answers.push((
            path.to_owned(),
            json!([answer.status.as_u16(), answer.body]),
        ));
    }
    let export = fixture.get("/export/ORDERS?reason=a%20test").await;
    answers.push(("export".to_owned(), export.text.into()));
    answers
}

#[track_caller]
fn assert_same(before: &[(String, Value)], after: &[(String, Value)]) {
    for (one, other) in before.iter().zip(after) {
        assert_eq!(one, other);
    }
    assert_eq!(before.len(), after.len());
}

#[tokio::test]
async fn every_answer_is_the_same_before_and_after_events_left_the_log() {
    let fixture = Fixture::new().await;
    let mut orders = Vec::new();
    for number in 0..3 {
        orders.push(moved::publish_order(&fixture, number).await);
    }
    moved::logged(&fixture, 21).await;
    moved::archive_all(&fixture).await;
    for number in 3..6 {
        orders.push(moved::publish_order(&fixture, number).await);
    }
    moved::logged(&fixture, 42).await;
    let until = fixture.clock.now();
    eventually("the accounts are in the log", async || {
        fixture.get("/events?stream=USERS").await.list().len() == 6
    })
    .await;
    // The broker has stored the later half in the next month.
    moved::keep(&fixture, until).await;
    sqlx::query(
        "update events e set stored_at = stored_at + interval '1 month'
         from (select stream, max(seq) / 2 as half from log.months group by stream) h
         where h.stream = e.stream and e.seq > h.half",
    )
    .execute(&fixture.db.pool)
    .await
    .unwrap();
    let before = answers(&fixture, &orders, until).await;
    assert!(
        before
            .iter()
            .filter(|(_, found)| found != &json!([]))
            .count()
            > 20
    );
    moved::let_go(&fixture).await;
    assert_eq!(moved::rows(&fixture).await, 21);
    assert_same(&before, &answers(&fixture, &orders, until).await);

    // A log that was lost comes back from streams and archive, and no larger than its window.
    sqlx::raw_sql("truncate events, log_starts, archived_segments, archived_orders")
        .execute(&fixture.db.pool)
        .await
        .unwrap();
    fixture.ended("event-log", "rebuild").await;
    assert_eq!(moved::rows(&fixture).await, 21);
    assert_same(&before, &answers(&fixture, &orders, until).await);
    let check = fixture.ended("event-log", "verify").await;
    assert_eq!(check["report"]["equal"], true, "{check}");
    fixture.end().await;
}

#[tokio::test]
async fn a_search_for_words_reads_the_archive_a_part_at_a_time() {
    let fixture = Fixture::new().await;
    for number in 0..20 {
        moved::publish_order(&fixture, number).await;
        moved::logged(&fixture, 7 * (i64::try_from(number).unwrap() + 1)).await;
        moved::archive(&fixture, Stream::Orders).await;
    }
    moved::archive_all(&fixture).await;
    moved::let_go(&fixture).await;
    let oldest = "/events?q=ord-test0000&stream=ORDERS";
    let page = fixture.get(oldest).await;
    assert_eq!(page.status, 200, "{}", page.text);
    let left: u64 = page
        .header("tiffin-segments-left")
        .unwrap()
        .parse()
        .unwrap();
    assert!((1..20).contains(&left), "{left}");
    assert_eq!(
        page.body,
        json!([]),
        "the oldest is in a part that was not read"
    );
    let found = pages(&fixture, oldest).await;
    assert_eq!(found.len(), 2, "{found:#?}");
    // An index answers for what is no word.
    let placed = fixture
        .get("/events?type=tiffin.order.placed.v1&limit=20")
        .await;
    let newest = placed.body[0]["event"]["data"]["orderCode"].clone();
    assert_eq!(newest, "ORD-TEST0019");
    fixture.end().await;
}

#[tokio::test]
async fn a_damaged_segment_is_an_error_and_no_missing_event() {
    let fixture = Fixture::new().await;
    let order = moved::publish_order(&fixture, 0).await;
    moved::logged(&fixture, 7).await;
    moved::archive_all(&fixture).await;
    moved::let_go(&fixture).await;
    let files = std::fs::read_dir(fixture.archive.path().join("ORDERS/segments")).unwrap();
    for file in files {
        let path = file.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    }
    let to = (fixture.clock.now() + Duration::days(1))
        .format(&Rfc3339)
        .unwrap();
    for path in [
        "/events/ORDERS/1".to_owned(),
        format!("/events?to={to}"),
        format!("/timeline/{}", order.id),
    ] {
        let answer = fixture.get(&path).await;
        assert_eq!(answer.status, 503, "{path}: {}", answer.text);
        assert!(answer.text.contains("ORDERS/segments"), "{}", answer.text);
    }
    assert_eq!(fixture.get("/events?stream=PAYMENTS").await.list().len(), 1);

    // A rebuild begins before the archive is read, however much that is, and then says what it could not read.
    sqlx::raw_sql("truncate events, log_starts, archived_segments, archived_orders")
        .execute(&fixture.db.pool)
        .await
        .unwrap();
    let body = json!({ "reason": "a test" });
    let begun = fixture.post("/projections/event-log/rebuild", body).await;
    assert_eq!(begun.status, 202, "{}", begun.text);
    let failed = fixture.outcome_of(&begun).await;
    assert_eq!(failed["state"], "failed", "{failed}");
    let error = failed["report"]["error"].as_str().unwrap();
    assert!(error.contains("ORDERS/segments"), "{error}");
    fixture.end().await;
}
