use std::time::Duration;

use futures_util::{FutureExt, future::BoxFuture};
use sqlx::{PgConnection, PgPool};
use tiffin_bus::{BatchConsumer, BatchHandler, Failure, Received};
use tiffin_events::Stream;
use tokio_util::sync::CancellationToken;

use crate::{
    bench::{Bench, eventually},
    consumer::{at, body},
};

/// More than one batch.
const EVENTS: usize = 600;

/// Copies events, or holds them in its hands for ever.
struct Copy {
    is_stuck: bool,
}

impl BatchHandler for Copy {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        async move {
            if self.is_stuck {
                std::future::pending::<()>().await;
            }
            for event in events {
                sqlx::query("insert into copies (id) values ($1) on conflict do nothing")
                    .bind(event.envelope.id)
                    .execute(&mut *tx)
                    .await?;
            }
            Ok(())
        }
        .boxed()
    }
}

fn copying(pool: &PgPool, is_stuck: bool) -> BatchConsumer {
    BatchConsumer::new("bench", Stream::Drivers, pool.clone(), Copy { is_stuck }).from_the_first()
}

#[tokio::test]
async fn what_a_killed_process_had_in_hand_is_kept_though_later_events_come_first() {
    let bench = Bench::new().await;
    sqlx::raw_sql(
        "create table copies (id uuid not null, constraint copies_pkey primary key (id))",
    )
    .execute(bench.pool())
    .await
    .unwrap();
    publish(&bench).await;
    let stop = CancellationToken::new();
    let killed = copying(bench.pool(), true).run(bench.broker.clone(), stop.clone());
    let killed = tokio::spawn(killed);
    eventually("a whole batch is in its hands", async || {
        in_hand(&bench).await >= 500
    })
    .await;
    killed.abort();

    publish(&bench).await;
    let next = tokio::spawn(copying(bench.pool(), false).run(bench.broker.clone(), stop.clone()));
    eventually("every event is kept", async || {
        let copies: i64 = sqlx::query_scalar("select count(*) from copies")
            .fetch_one(bench.pool())
            .await
            .unwrap();
        copies == i64::try_from(EVENTS * 2).unwrap()
    })
    .await;
    eventually("none is left to acknowledge", async || {
        in_hand(&bench).await == 0
    })
    .await;
    stop.cancel();
    tokio::time::timeout(Duration::from_mins(1), next)
        .await
        .unwrap()
        .unwrap();
    bench.end().await;
}

async fn publish(bench: &Bench) {
    for _ in 0..EVENTS {
        let driver = bench.clock.new_id();
        bench.publish(at(driver), body(bench, driver, 1)).await;
    }
}

/// How many messages the broker has sent that nobody has acknowledged.
async fn in_hand(bench: &Bench) -> usize {
    let stream = bench.broker.jetstream.get_stream("DRIVERS").await.unwrap();
    match stream.consumer_info("bench_DRIVERS").await {
        Ok(info) => info.num_ack_pending,
        // It is only being made.
        Err(_) => 0,
    }
}
