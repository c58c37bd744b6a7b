//! Readers of the outbox, once rows have left it for the archive.

use tiffin_bus::{
    heads,
    history::{Answer, Command, OperationState},
    outbox, size,
};
use tiffin_events::{Stream, rights::AUDIENCE_STREAM};

use crate::{
    archive::{Archived, EVENTS, STREAM, envelopes},
    bench::{Bench, eventually},
    control::ended,
    trim::trim,
};

#[tokio::test]
async fn a_wiped_broker_is_filled_from_archive_and_trimmed_outbox_together() {
    let mut it = Archived::running(3).await;
    let before = it.history().await;
    assert!(it.archive_until(0).await && it.archive_until(1).await);
    assert_eq!(trim(&it.bench).await, 2 * EVENTS);
    for stream in Stream::ALL
        .into_iter()
        .map(Stream::name)
        .chain([AUDIENCE_STREAM])
    {
        let jetstream = &it.bench.broker.jetstream;
        jetstream.delete_stream(stream).await.unwrap();
    }

    let id = it.bench.clock.new_id();
    it.bench.ask(&Command::Republish { id }).await;
    it.bench.broker.prepare().await.unwrap();
    let operation = ended(&it.bench, id).await;
    assert_eq!(
        (operation.state, operation.handled),
        (OperationState::Done, EVENTS)
    );
    assert_eq!(envelopes(&it.history().await), envelopes(&before));
    let again = it.ask(|id| Command::Republish { id }).await;
    assert_eq!((again.handled, again.skipped), (0, EVENTS));
    assert_eq!(it.bench.effects().await, 3 * EVENTS);

    // It goes on: new events are archived and trimmed in turn.
    it.change_all().await;
    it.handled().await;
    assert!(it.archive_until(3).await);
    assert_eq!(trim(&it.bench).await, 2 * EVENTS);
    assert_eq!(it.history().await.len(), 1_200);
    it.bench.end().await;
}

#[tokio::test]
async fn a_lost_stream_of_many_ranges_is_found_missing_as_a_whole() {
    const ROWS: i64 = 12_000;
    let bench = Bench::new().await;
    let relay = bench.relay();
    bench.control();
    let driver = bench.clock.new_id();
    let events: Vec<_> = (1..=ROWS).map(|n| bench.event(driver, n)).collect();
    let mut tx = tiffin_database::begin(bench.pool()).await.unwrap();
    outbox::append(&mut tx, &events).await.unwrap();
    tx.commit().await.unwrap();
    eventually("all is published", async || bench.waiting().await == 0).await;
    for lost in [false, true] {
        if lost {
            let jetstream = &bench.broker.jetstream;
            jetstream.delete_stream(STREAM.name()).await.unwrap();
        }
        let id = bench.clock.new_id();
        bench.ask(&Command::Republish { id }).await;
        bench.broker.prepare().await.unwrap();
        let operation = ended(&bench, id).await;
        let expected = if lost { (ROWS, 0) } else { (0, ROWS) };
        assert_eq!((operation.handled, operation.skipped), expected);
    }
    assert_eq!(bench.stored(STREAM).await, u64::try_from(ROWS).unwrap());
    relay.cancel();
    bench.end().await;
}

#[tokio::test]
async fn nothing_is_republished_to_a_stream_that_ends_before_its_archive() {
    let mut it = Archived::new().await;
    it.bench.relay();
    it.bench.control();
    for _ in 0..2 {
        it.change_all().await;
    }
    assert!(it.archive_until(0).await);
    trim(&it.bench).await;
    let jetstream = &it.bench.broker.jetstream;
    jetstream.delete_stream(STREAM.name()).await.unwrap();
    // It is made by a process that does not know the archive.
    let unaware = it.bench.broker.clone().with_archive(None);
    unaware.prepare().await.unwrap();
    let id = it.bench.clock.new_id();
    let answer = it.bench.ask(&Command::Republish { id }).await;
    let Answer::Refused { message } = answer else {
        panic!("{answer:?}");
    };
    assert!(
        message.starts_with("DRIVERS ends at 0, before its archive"),
        "{message}"
    );
    assert_eq!(it.bench.waiting().await, 0);

    jetstream.delete_stream(STREAM.name()).await.unwrap();
    let id = it.bench.clock.new_id();
    it.bench.ask(&Command::Republish { id }).await;
    it.bench.broker.prepare().await.unwrap();
    assert_eq!(ended(&it.bench, id).await.handled, EVENTS);
    assert_eq!(it.first_in_stream().await, 301);
    it.bench.end().await;
}

#[tokio::test]
async fn a_restored_database_is_noticed_though_the_events_it_lacks_are_archived() {
    let mut it = Archived::new().await;
    let relay = it.bench.relay();
    for _ in 0..2 {
        it.change_all().await;
    }
    relay.cancel();
    assert!(it.archive_until(1).await);
    assert_eq!(it.bench.stored(STREAM).await, 0);
    trim(&it.bench).await;
    sqlx::raw_sql("update bus.heads set stream_sequence = 300")
        .execute(it.bench.pool())
        .await
        .unwrap();
    it.bench.relay();
    eventually("it is noticed", async || {
        heads::trouble(it.bench.pool()).await.unwrap().is_some()
    })
    .await;
    let trouble = heads::trouble(it.bench.pool()).await.unwrap().unwrap();
    assert!(
        trouble.contains("has not made, at 301 and at 299 others"),
        "{trouble}"
    );
    it.bench.end().await;
}

#[tokio::test]
async fn rows_that_were_published_but_not_marked_are_found_in_the_archive() {
    let mut it = Archived::new().await;
    let relay = it.bench.relay();
    it.change_all().await;
    relay.cancel();
    assert!(it.archive_until(0).await);
    sqlx::raw_sql(
        "update bus.heads set stream_sequence = 250;
         update bus.outbox set published_at = null, stream_sequence = null
             where stream_sequence > 250",
    )
    .execute(it.bench.pool())
    .await
    .unwrap();
    it.bench.relay();
    eventually("they are marked", async || it.bench.waiting().await == 0).await;
    assert_eq!(heads::trouble(it.bench.pool()).await.unwrap(), None);
    assert_eq!(it.bench.stored(STREAM).await, 0);
    assert_eq!(trim(&it.bench).await, EVENTS);
    it.bench.end().await;
}

#[tokio::test]
async fn an_outbox_stays_at_the_size_of_the_window() {
    let mut it = Archived::new().await;
    it.bench.relay();
    let mut sizes = Vec::new();
    for group in 0..9 {
        it.change_all().await;
        if group > 0 {
            assert!(it.archive_until(group - 1).await);
            assert_eq!(trim(&it.bench).await, EVENTS);
        }
        // As autovacuum does after some thousand rows.
        sqlx::raw_sql("vacuum bus.outbox")
            .execute(it.bench.pool())
            .await
            .unwrap();
        sizes.push(size::of(it.bench.pool()).await.unwrap());
    }
    let bytes: Vec<i64> = sizes.iter().map(|size| size.outbox_bytes).collect();
    assert!(bytes[8] * 2 < bytes[2] * 3, "{bytes:?}");
    // Trimmed rows are neither counted nor taken for a quiet time.
    eventually("the rows of the window are counted", async || {
        let size = size::of(it.bench.pool()).await.unwrap();
        size.outbox_rows == EVENTS
    })
    .await;
    let last = sizes[8];
    assert_eq!(last.outbox_rows_of_week, EVENTS);
    assert!(last.outbox_week_seconds < 24 * 60 * 60, "{last:?}");
    it.bench.end().await;
}
