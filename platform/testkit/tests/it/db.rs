use serde_json::json;
use tiffin_bus::{Outgoing, outbox};
use tiffin_events::{Clock, UserId};
use tiffin_testkit::{TestDb, drain_entries, drain_outbox, drain_rows, recorder, sample};

#[tokio::test]
async fn every_test_has_a_separate_database() {
    let (first, second) = tokio::join!(
        TestDb::new(&tiffin_chassis::MIGRATIONS),
        TestDb::new(&tiffin_chassis::MIGRATIONS)
    );
    assert_ne!(first.url, second.url);
    append(&first).await;
    assert_eq!(drain_rows(&first.pool).await.len(), 2);
    assert!(drain_rows(&second.pool).await.is_empty());
}

#[tokio::test]
async fn draining_the_outbox_empties_it() {
    let db = TestDb::new(&tiffin_chassis::MIGRATIONS).await;
    append(&db).await;
    let events = drain_outbox(&db.pool).await;
    assert_eq!(
        events
            .iter()
            .map(|event| event.kind.as_str())
            .collect::<Vec<_>>(),
        ["tiffin.order.placed.v1"]
    );
    assert!(drain_outbox(&db.pool).await.is_empty());
    append(&db).await;
    let entries = drain_entries(&db.pool).await;
    assert_eq!(entries[0].key, "order.1");
    assert_eq!(entries[0].value, json!({ "users": [] }));
}

/// An entry of the audience bucket and an event.
async fn append(db: &TestDb) {
    let clock = Clock::system();
    let id = clock.new_id();
    let cause = outbox::Cause::service("test");
    let placed = sample("tiffin.order.placed.v1");
    let order = tiffin_events::Event::decode(&placed.kind, &placed.data).unwrap();
    let order: tiffin_events::order::OrderEvent = order.unwrap();
    let rows = [
        Outgoing::entry(&clock, "order.1", id, &json!({ "users": [] })).unwrap(),
        Outgoing::event(&recorder(&clock), &cause, id, 1, &order)
            .await
            .unwrap()
            .hint([UserId(id)]),
    ];
    let mut tx = tiffin_database::begin(&db.pool).await.unwrap();
    outbox::append(&mut tx, &rows).await.unwrap();
    tx.commit().await.unwrap();
}
