use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{Consumer, Failure, Handler, Received};
use tiffin_events::{Clock, Stream};
use tiffin_testkit::{TestDb, feed_samples, samples};

struct Counts;

impl Handler for Counts {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        _: &'a Received,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            sqlx::query("update counted set events = events + 1")
                .execute(tx)
                .await?;
            Ok(())
        })
    }
}

#[tokio::test]
async fn a_consumer_is_fed_every_sample_of_its_stream_once() {
    let db = TestDb::new(&tiffin_chassis::MIGRATIONS).await;
    sqlx::query("create table counted as select 0 as events")
        .execute(&db.pool)
        .await
        .unwrap();
    let consumer = Consumer::new(
        "test",
        Stream::Catalog,
        db.pool.clone(),
        Clock::system(),
        Counts,
    )
    .only(&["item"]);
    feed_samples(&consumer, &db.pool).await;
    let counted: i32 = sqlx::query_scalar("select events from counted")
        .fetch_one(&db.pool)
        .await
        .unwrap();
    let wanted = samples()
        .iter()
        .filter(|sample| sample.kind.starts_with("tiffin.item."))
        .count();
    assert_eq!(usize::try_from(counted).unwrap(), wanted);
}
