//! The log's partitions: made ahead, and gone once the archive holds them.

use std::time::Duration;

use sqlx::AssertSqlSafe;
use tiffin_events::Stream;

use crate::{
    fixture::{Fixture, List, eventually},
    moved::{self, month, months, next_month},
};

async fn run(fixture: &Fixture, sql: String) {
    sqlx::raw_sql(AssertSqlSafe(sql))
        .execute(&fixture.db.pool)
        .await
        .unwrap();
}

async fn found(fixture: &Fixture) -> usize {
    let answer = fixture.get("/events?stream=ORDERS").await;
    answer.list().len()
}

/// A log with the events of an order, all archived.
async fn archived() -> Fixture {
    let fixture = Fixture::new().await;
    moved::publish_order(&fixture, 0).await;
    moved::logged(&fixture, 7).await;
    moved::archive_all(&fixture).await;
    fixture
}

#[tokio::test]
async fn months_are_made_ahead_and_leave_once_the_archive_holds_them_and_not_before() {
    let fixture = Fixture::new().await;
    let (this, next) = (month(fixture.clock.now()), month(next_month(&fixture)));
    eventually("both months are there", async || {
        months(&fixture).await == [this.clone(), next.clone()]
    })
    .await;
    moved::publish_order(&fixture, 0).await;
    moved::logged(&fixture, 7).await;
    moved::keep(&fixture, next_month(&fixture)).await;
    assert!(
        months(&fixture).await.contains(&this),
        "nothing is archived"
    );
    for stream in [Stream::Orders, Stream::Payments, Stream::Catalog] {
        moved::archive(&fixture, stream).await;
    }
    moved::keep(&fixture, next_month(&fixture)).await;
    assert_eq!(
        moved::rows(&fixture).await,
        7,
        "other streams are not archived"
    );
    moved::archive_all(&fixture).await;
    moved::keep(&fixture, fixture.clock.now()).await;
    assert_eq!(moved::rows(&fixture).await, 7, "the month is not over");
    moved::let_go(&fixture).await;
    assert_eq!(moved::rows(&fixture).await, 0);
    assert!(months(&fixture).await.contains(&next));
    let users = fixture.get("/events?stream=USERS").await.list();
    assert_eq!(users.len(), 1, "what is not archived stays");
    // An event of the month that comes late has its place again.
    moved::publish_order(&fixture, 1).await;
    moved::logged(&fixture, 7).await;
    assert!(months(&fixture).await.contains(&this));
    assert_eq!(found(&fixture).await, 4);
    fixture.end().await;
}

#[tokio::test]
async fn the_log_stays_at_its_size_however_many_months_leave() {
    let fixture = Fixture::new().await;
    eventually("both months are there", async || {
        months(&fixture).await.len() == 2
    })
    .await;
    let mut sizes = Vec::new();
    for number in 0..3 {
        moved::publish_order(&fixture, number).await;
        moved::logged(&fixture, 7).await;
        let full = size(&fixture).await;
        moved::archive_all(&fixture).await;
        moved::let_go(&fixture).await;
        let left = size(&fixture).await;
        assert!(left < full, "{left} of {full} bytes are left");
        assert_eq!(moved::rows(&fixture).await, 0);
        sizes.push(months(&fixture).await);
        assert_eq!(found(&fixture).await, 2 * (number + 1));
    }
    assert!(sizes.iter().all(|tables| *tables == sizes[0]), "{sizes:?}");
    fixture.end().await;
}

/// The bytes of the log's months, and what operators are shown of them.
async fn size(fixture: &Fixture) -> i64 {
    let capacity = fixture.get("/capacity").await.body;
    let log = &capacity["eventLog"];
    let shown = log["months"].as_u64().unwrap();
    assert_eq!(shown, months(fixture).await.len() as u64, "{log}");
    let bytes: i64 = sqlx::query_scalar(
        "select sum(pg_total_relation_size(relid))::bigint from pg_partition_tree('log.months')",
    )
    .fetch_one(&fixture.db.pool)
    .await
    .unwrap();
    assert!(log["bytes"].as_i64().unwrap() >= bytes, "{log}");
    bytes
}

#[tokio::test]
async fn a_month_with_an_event_that_the_archive_lacks_stays() {
    let fixture = archived().await;
    run(
        &fixture,
        "update events set id = gen_random_uuid() where stream = 'ORDERS' and seq = 2".to_owned(),
    )
    .await;
    moved::keep(&fixture, next_month(&fixture)).await;
    assert_eq!(moved::rows(&fixture).await, 7);
    fixture.ended("event-log", "rebuild").await;
    moved::let_go(&fixture).await;
    assert_eq!(found(&fixture).await, 2);
    fixture.end().await;
}

/// A process that died while it waited for a reader to detach this month. The reader.
async fn died_detaching(fixture: &Fixture) -> sqlx::Transaction<'static, sqlx::Postgres> {
    moved::keep(fixture, fixture.clock.now()).await;
    let mut reader = tiffin_database::begin(&fixture.db.pool).await.unwrap();
    sqlx::query("select from events")
        .fetch_all(&mut *reader)
        .await
        .unwrap();
    // It works on while it waits, and does nothing after that.
    let waits = eventually("it waits for the reader", async || {
        detaching(fixture).await.is_some()
    });
    tokio::select! {
        () = keep_on(fixture) => {}
        () = waits => {}
    }
    assert_eq!(found(fixture).await, 2, "the archive answers already");
    reader
}

/// Keeps the log again and again: another process may be at it.
async fn keep_on(fixture: &Fixture) {
    loop {
        moved::keep(fixture, next_month(fixture)).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// The backend that detaches a partition.
async fn detaching(fixture: &Fixture) -> Option<i32> {
    sqlx::query_scalar(
        "select pid from pg_stat_activity
         where datname = current_database() and query like '%concurrently' and wait_event_type = 'Lock'",
    )
    .fetch_optional(&fixture.db.pool)
    .await
    .unwrap()
}

/// Waits until this month's table is no partition, or half of one.
async fn left_behind(fixture: &Fixture, is_half: bool) {
    eventually("the table is left behind", async || {
        let pending: Vec<bool> = sqlx::query_scalar(
            "select coalesce(inhdetachpending, false) from pg_class c left join pg_inherits on inhrelid = c.oid
             where relnamespace = 'log'::regnamespace and relname = $1 and (inhrelid is null or inhdetachpending)",
        )
        .bind(month(fixture.clock.now()))
        .fetch_all(&fixture.db.pool)
        .await
        .unwrap();
        pending == [is_half]
    })
    .await;
}

#[tokio::test]
async fn a_process_that_died_between_detaching_and_dropping_leaves_nothing_behind() {
    let fixture = archived().await;
    let reader = died_detaching(&fixture).await;
    // PostgreSQL ends the statement of the process that is gone.
    reader.commit().await.unwrap();
    left_behind(&fixture, false).await;
    assert_eq!(found(&fixture).await, 2);
    moved::let_go(&fixture).await;
    assert_eq!(found(&fixture).await, 2);
    fixture.end().await;
}

#[tokio::test]
async fn a_process_that_died_while_it_detached_is_followed_by_one_that_ends_it() {
    let fixture = archived().await;
    let reader = died_detaching(&fixture).await;
    let backend = detaching(&fixture).await.unwrap();
    sqlx::query("select pg_terminate_backend($1)")
        .bind(backend)
        .execute(&fixture.db.pool)
        .await
        .unwrap();
    left_behind(&fixture, true).await;
    reader.commit().await.unwrap();
    assert_eq!(found(&fixture).await, 2);
    moved::let_go(&fixture).await;
    assert_eq!(found(&fixture).await, 2);
    fixture.end().await;
}

#[tokio::test]
async fn a_detached_month_that_got_an_event_is_a_part_of_the_log_again() {
    let fixture = archived().await;
    let this = month(fixture.clock.now());
    // The archive lacks these.
    moved::publish_order(&fixture, 1).await;
    moved::logged(&fixture, 14).await;
    run(
        &fixture,
        format!("alter table log.months detach partition log.{this}"),
    )
    .await;
    eventually("the log has its events again", async || {
        moved::keep(&fixture, fixture.clock.now()).await;
        moved::rows(&fixture).await == 14
    })
    .await;
    moved::archive_all(&fixture).await;
    moved::let_go(&fixture).await;
    assert_eq!(found(&fixture).await, 4);
    fixture.end().await;
}
