use std::time::Duration;

use sqlx::postgres::PgPoolOptions;
use tiffin_testkit::TestDb;
use uuid::Uuid;

use super::*;

/// A slow beginning.
const SLOW_BEGIN: &str = "begin; select pg_sleep(0.3)";

/// A pool of one connection, with a table.
async fn pool_of_one(db: &TestDb) -> PgPool {
    let options = db.pool.connect_options();
    let pool = PgPoolOptions::new().max_connections(1);
    let pool = pool.connect_with((*options).clone()).await.unwrap();
    let create = sqlx::query("create table written (number integer)");
    create.execute(&pool).await.unwrap();
    pool
}

/// Writes a row with the pool's connection. Returns true if others see it.
async fn is_committed(pool: &PgPool, others: &PgPool) -> bool {
    let insert = sqlx::query("insert into written values (1)");
    insert.execute(pool).await.unwrap();
    let count = sqlx::query_scalar::<_, i64>("select count(*) from written");
    count.fetch_one(others).await.unwrap() == 1
}

#[tokio::test]
async fn a_cancelled_begin_leaves_no_transaction_open() {
    let db = TestDb::empty().await;
    let pool = pool_of_one(&db).await;
    let cancelled = tokio::time::timeout(Duration::from_millis(50), begin_with(&pool, SLOW_BEGIN));
    assert!(cancelled.await.is_err());
    assert!(is_committed(&pool, &db.pool).await);
}

/// Once this fails, [`begin`] may be sqlx's own.
#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "it is what is tested")]
async fn the_library_leaves_one_open() {
    let db = TestDb::empty().await;
    let pool = pool_of_one(&db).await;
    let cancelled = tokio::time::timeout(Duration::from_millis(50), pool.begin_with(SLOW_BEGIN));
    assert!(cancelled.await.is_err());
    assert!(!is_committed(&pool, &db.pool).await);
}

#[tokio::test]
async fn a_transaction_is_committed_or_rolled_back() {
    let db = TestDb::empty().await;
    let pool = pool_of_one(&db).await;
    let mut tx = begin(&pool).await.unwrap();
    let insert = "insert into written values (1)";
    sqlx::query(insert).execute(&mut *tx).await.unwrap();
    drop(tx);
    let mut tx = begin(&pool).await.unwrap();
    sqlx::query(insert).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let count = sqlx::query_scalar::<_, i64>("select count(*) from written");
    assert_eq!(count.fetch_one(&db.pool).await.unwrap(), 1);
}

#[tokio::test]
async fn an_erasure_waits_for_rows_about_its_person_and_no_other() {
    let db = TestDb::empty().await;
    let create = "create table written (person uuid)";
    sqlx::query(create).execute(&db.pool).await.unwrap();
    let [person, other] = [Uuid::from_u128(1), Uuid::from_u128(2)];
    let mut writer = begin(&db.pool).await.unwrap();
    keep_from_erasure(&mut writer, &[person]).await.unwrap();
    let mut erasure = begin(&db.pool).await.unwrap();
    lock_for_erasure(&mut erasure, other).await.unwrap();
    let waiting = tokio::spawn(async move {
        lock_for_erasure(&mut erasure, person).await.unwrap();
        let count = sqlx::query_scalar::<_, i64>("select count(*) from written");
        count.fetch_one(&mut *erasure).await.unwrap()
    });
    let waits = "select exists (select from pg_locks where locktype = 'advisory' and not granted)";
    let is_waiting = || sqlx::query_scalar::<_, bool>(waits).fetch_one(&db.pool);
    while !is_waiting().await.unwrap() {
        tokio::task::yield_now().await;
    }
    let insert = sqlx::query("insert into written values ($1)").bind(person);
    insert.execute(&mut *writer).await.unwrap();
    writer.commit().await.unwrap();
    assert_eq!(waiting.await.unwrap(), 1);
}
