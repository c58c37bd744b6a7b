use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::{FutureExt, future::BoxFuture};
use sqlx::{PgConnection, PgPool};
use tiffin_bus::{
    BatchConsumer, BatchHandler, Control, Failure, Received,
    history::{Answer, Command},
};
use tiffin_events::Stream;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    bench::{Bench, eventually},
    consumer::{at, body},
};

/// More than one batch.
const EVENTS: usize = 600;

/// Copies events, or never acknowledges them.
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

/// A bench with the table that the consumers here write to.
async fn with_copies() -> Bench {
    let bench = Bench::new().await;
    sqlx::raw_sql(
        "create table copies (id uuid not null, constraint copies_pkey primary key (id))",
    )
    .execute(bench.pool())
    .await
    .unwrap();
    bench
}

#[tokio::test]
async fn what_a_killed_process_had_in_hand_is_kept_though_later_events_come_first() {
    let bench = with_copies().await;
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

/// The number of messages that the broker has sent and that are not acknowledged.
async fn in_hand(bench: &Bench) -> usize {
    let stream = bench.broker.jetstream.get_stream("DRIVERS").await.unwrap();
    match stream.consumer_info("bench_DRIVERS").await {
        Ok(info) => info.num_ack_pending,
        // It is only being made.
        Err(_) => 0,
    }
}

/// Copies every event but two: one is poison and stays so, the other fails until `fails` is unset.
struct Picky {
    poison: Uuid,
    failing: Uuid,
    fails: Arc<AtomicBool>,
}

impl BatchHandler for Picky {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        async move {
            let fails = self.fails.load(Ordering::SeqCst);
            for event in events {
                let subject = event.envelope.subject;
                if fails && subject == self.poison {
                    return Err(Failure::Reject("poison".to_owned()));
                }
                if fails && subject == self.failing {
                    return Err(Failure::Retry("not now".to_owned()));
                }
                sqlx::query("insert into copies (id) values ($1) on conflict do nothing")
                    .bind(subject)
                    .execute(&mut *tx)
                    .await?;
            }
            Ok(())
        }
        .boxed()
    }
}

async fn has(bench: &Bench, id: Uuid) -> bool {
    sqlx::query_scalar("select exists (select from copies where id = $1)")
        .bind(id)
        .fetch_one(bench.pool())
        .await
        .unwrap()
}

#[tokio::test]
async fn a_batch_loses_none_of_the_good_ones_beside_a_bad_one() {
    let bench = with_copies().await;
    let drivers: Vec<Uuid> = (0..500).map(|_| bench.clock.new_id()).collect();
    for driver in &drivers {
        bench.publish(at(*driver), body(&bench, *driver, 1)).await;
    }
    let (poison, failing) = (drivers[137], drivers[412]);
    let fails = Arc::new(AtomicBool::new(true));
    let picky = Picky {
        poison,
        failing,
        fails: Arc::clone(&fails),
    };
    let batch = BatchConsumer::new("bench", Stream::Drivers, bench.pool().clone(), picky);
    let batch = batch.from_the_first();
    let stop = CancellationToken::new();
    let control = Control::new(
        "bench",
        bench.pool().clone(),
        bench.broker.clone(),
        bench.clock.clone(),
        &[],
    );
    let control = control.and_batches(std::slice::from_ref(&batch));
    let obeying = tokio::spawn(control.run(stop.clone()));
    let taking = tokio::spawn(batch.run(bench.broker.clone(), stop.clone()));

    eventually("all but two are kept", async || {
        let copies: i64 = sqlx::query_scalar("select count(*) from copies")
            .fetch_one(bench.pool())
            .await
            .unwrap();
        copies == 498
    })
    .await;
    eventually("the poison is a dead letter", async || {
        bench.stored(Stream::DeadLetters).await == 1
    })
    .await;
    assert!(!has(&bench, poison).await && !has(&bench, failing).await);

    // The event that failed is delivered again by itself. The poison waits for a retry.
    fails.store(false, Ordering::SeqCst);
    eventually("what failed is kept", async || has(&bench, failing).await).await;
    assert!(!has(&bench, poison).await);
    let again = Command::Retry {
        consumer: "bench_DRIVERS".to_owned(),
        stream_sequence: 138,
    };
    let answer = bench.ask(&again).await;
    assert!(matches!(answer, Answer::Done { .. }), "{answer:?}");
    assert!(has(&bench, poison).await);
    eventually("none is left to acknowledge", async || {
        in_hand(&bench).await == 0
    })
    .await;
    assert_eq!(bench.stored(Stream::DeadLetters).await, 1);
    stop.cancel();
    taking.await.unwrap();
    obeying.await.unwrap();
    bench.end().await;
}
