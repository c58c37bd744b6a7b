//! Accounts that are closed while a snapshot has their data. Two consumers share a table of the read model.

use futures_util::{FutureExt, future::BoxFuture};
use serde_json::json;
use sqlx::{Connection, PgConnection};
use tiffin_bus::{Consumer, Failure, Handler, Received, history::Command};
use tiffin_events::{Clock, Envelope, Stream, subject};
use uuid::Uuid;

use crate::{
    archive::{Archived, EVENTS},
    bench::{Tally, eventually},
    control::ended,
    rebuild_locks::{connection, waits_for},
    snapshots::{report, snapshots, start, verify},
};

const NAME: &str = "Kanarientje";

/// Keeps the name of each account until it is closed.
struct Names;

impl Handler for Names {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        async move {
            for event in events {
                let is_closed = event.envelope.kind.starts_with("tiffin.user.deleted");
                sqlx::query(
                    "insert into names (id, name) values ($1, $2)
                     on conflict (id) do update set name = excluded.name",
                )
                .bind(event.envelope.subject)
                .bind(if is_closed { "" } else { NAME })
                .execute(&mut *tx)
                .await?;
            }
            Ok(())
        }
        .boxed()
    }
}

/// Archived events, a snapshot, and two accounts in it.
async fn with_accounts() -> (Archived, [Uuid; 2]) {
    let mut it = Archived::new().await;
    let pool = it.bench.pool().clone();
    sqlx::raw_sql("create table names (id uuid primary key, name text not null)")
        .execute(&pool)
        .await
        .unwrap();
    let consumers = [
        Consumer::new(
            "bench",
            Stream::Drivers,
            pool.clone(),
            Clock::system(),
            Tally::default(),
        )
        .projects(&["standing", "names"]),
        Consumer::new("bench", Stream::Users, pool, Clock::system(), Names)
            .projects(&["names"])
            .knowing(|_| true),
    ];
    it.bench.relay();
    for consumer in &consumers {
        it.bench.consume_as(consumer.clone());
    }
    it.bench.control_of_all(&consumers);
    let accounts = [it.bench.clock.new_id(), it.bench.clock.new_id()];
    for account in accounts {
        publish(&it, account, "registered", 1).await;
    }
    eventually("both are known", async || names(&it, "public").await == 2).await;
    it.change_all().await;
    it.handled().await;
    assert!(it.archive_until(0).await);
    verify(&it).await;
    assert_eq!(names(&it, "snapshot_bench_drivers").await, 2);
    (it, accounts)
}

#[tokio::test]
async fn an_account_that_is_closed_while_a_snapshot_is_taken_is_in_none() {
    let (it, [account, _]) = with_accounts().await;
    let (mut first, mut second) = (connection(&it.bench).await, connection(&it.bench).await);
    let lock = "lock table standing in access exclusive mode";
    let mut before = first.begin().await.unwrap();
    sqlx::query(lock).execute(&mut *before).await.unwrap();
    let id = it.bench.clock.new_id();
    let from_first_event = true;
    let consumer = "bench_DRIVERS".to_owned();
    let command = Command::Verify {
        id,
        consumer,
        from_first_event,
    };
    it.bench.ask(&command).await;
    waits_for(&it.bench, "standing", "AccessShareLock").await;
    // The second lock is granted once the tables of the verification are there, and holds up the copy.
    let mut copying = second.begin().await.unwrap();
    let locked = async {
        sqlx::query(lock).execute(&mut *copying).await.unwrap();
    };
    let released = async {
        waits_for(&it.bench, "standing", "AccessExclusiveLock").await;
        before.rollback().await.unwrap();
    };
    tokio::join!(locked, released);
    waits_for(&it.bench, "standing", "AccessShareLock").await;
    publish(&it, account, "deleted", 2).await;
    eventually("it is erased", async || names(&it, "public").await == 1).await;
    copying.rollback().await.unwrap();

    let ended = ended(&it.bench, id).await;
    assert_eq!(report(&ended)["equal"], true, "{:?}", ended.report);
    // The older one is still there, without the account.
    assert_eq!(names(&it, "snapshot_bench_drivers").await, 1);
    let positions = json!({ "DRIVERS": EVENTS, "USERS": 2 });
    assert_eq!(*start(&verify(&it).await), positions);
    it.bench.end().await;
}

async fn publish(it: &Archived, account: Uuid, event: &str, sequence: i64) {
    let envelope = Envelope::of(
        &it.bench.clock,
        "user",
        &format!("tiffin.user.{event}.v1"),
        account,
        sequence,
        "tiffin/bench".to_owned(),
        json!({}),
    );
    let body = serde_json::to_vec(&envelope).unwrap();
    let subject = subject::event("user", account, event);
    it.bench.publish(subject, body).await;
}

/// The number of names that a schema's table has.
async fn names(it: &Archived, schema: &str) -> i64 {
    let count = format!("select count(*) from {schema}.names where name <> ''");
    sqlx::query_scalar(sqlx::AssertSqlSafe(count))
        .fetch_one(it.bench.pool())
        .await
        .unwrap()
}

#[tokio::test]
async fn a_closed_account_is_gone_from_a_snapshot_that_stays_valid() {
    let (it, [account, _]) = with_accounts().await;
    publish(&it, account, "deleted", 2).await;
    eventually("it is erased", async || names(&it, "public").await == 1).await;
    assert_eq!(names(&it, "snapshot_bench_drivers").await, 1);
    let verified = verify(&it).await;
    let positions = json!({ "DRIVERS": EVENTS, "USERS": 2 });
    assert_eq!(*start(&verified), positions);
    assert_eq!(verified.total, 1, "the event that closed the account");

    // Its past leaves the stream, and no snapshot waits for it.
    let users = it.bench.broker.jetstream.get_stream("USERS").await.unwrap();
    users.delete_message(1).await.unwrap();
    sqlx::raw_sql("update bus.snapshots set program = ''")
        .execute(it.bench.pool())
        .await
        .unwrap();
    verify(&it).await;
    let positions = json!({ "DRIVERS": EVENTS, "USERS": 3 });
    assert_eq!(*start(&verify(&it).await), positions);
    assert_eq!(names(&it, "snapshot_bench_drivers").await, 1);
    it.bench.end().await;
}

#[tokio::test]
async fn a_snapshot_that_can_not_take_the_end_of_an_account_is_dropped() {
    let (it, [account, other]) = with_accounts().await;
    sqlx::raw_sql("alter table snapshot_bench_drivers.names rename column name to title")
        .execute(it.bench.pool())
        .await
        .unwrap();
    publish(&it, account, "deleted", 2).await;
    eventually("it is erased", async || names(&it, "public").await == 1).await;
    assert_eq!(snapshots(&it.bench).await, (0, 0));
    verify(&it).await;
    publish(&it, other, "deleted", 2).await;
    eventually("it is erased", async || names(&it, "public").await == 0).await;
    assert_eq!(names(&it, "snapshot_bench_drivers").await, 0);
    it.bench.end().await;
}
