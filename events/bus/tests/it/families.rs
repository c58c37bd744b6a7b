//! A consumer that begins to take the events of another kind of things.

use serde_json::Value;
use tiffin_bus::Consumer;
use tiffin_events::{Clock, Stream, subject};
use uuid::Uuid;

use crate::{
    bench::{Bench, Tally, eventually},
    consumer::body,
};

/// One of an older release, and one of a newer.
fn older(bench: &Bench) -> Consumer {
    let (pool, clock) = (bench.pool().clone(), Clock::system());
    Consumer::new("bench", Stream::Catalog, pool, clock, Tally::default()).only(&["restaurant"])
}

fn newer(bench: &Bench) -> Consumer {
    older(bench).only(&["restaurant", "item"])
}

async fn happen(bench: &Bench, (aggregate, name): (&str, &str), id: Uuid, version: i64) {
    let mut event: Value = serde_json::from_slice(&body(bench, id, version)).unwrap();
    event["type"] = format!("tiffin.{aggregate}.{name}.v1").into();
    let subject = subject::event(aggregate, id, name);
    bench.publish(subject, event.to_string().into()).await;
}

async fn filter(bench: &Bench) -> Vec<String> {
    let stream = bench.broker.jetstream.get_stream("CATALOG").await.unwrap();
    let info = stream.consumer_info("bench_CATALOG").await.unwrap();
    let mut filter = info.config.filter_subjects;
    filter.sort();
    filter
}

const BOTH: [&str; 2] = ["tiffin.item.*.*", "tiffin.restaurant.*.*"];
const RESTAURANT: (&str, &str) = ("restaurant", "updated");
const ITEM: (&str, &str) = ("item", "updated");

#[tokio::test]
async fn what_a_consumer_takes_up_comes_with_its_history_and_an_older_process_takes_nothing_away() {
    let bench = Bench::new().await;
    let (place, dish) = (bench.clock.new_id(), bench.clock.new_id());
    let first = bench.consume_as(older(&bench));
    for version in 1..=3 {
        happen(&bench, RESTAURANT, place, version).await;
        happen(&bench, ITEM, dish, version).await;
    }
    eventually("the older has its own", async || bench.effects().await == 3).await;

    // Side by side, as in a release that rolls out.
    let second = bench.consume_as(newer(&bench));
    eventually("the history comes", async || {
        bench.tally(dish).await == [1, 2, 3]
    })
    .await;
    eventually("the durable takes both", async || {
        filter(&bench).await == BOTH
    })
    .await;
    first.cancel();
    second.cancel();

    // The older one alone, as after a roll-back: it gives up nothing, and what it does not know waits.
    let first = bench.consume_as(older(&bench));
    happen(&bench, ITEM, dish, 4).await;
    happen(&bench, RESTAURANT, place, 4).await;
    eventually("it goes on with its own", async || {
        bench.tally(place).await == [1, 2, 3, 4]
    })
    .await;
    eventually("the other waits", async || {
        let waits: i64 =
            sqlx::query_scalar("select count(*) from bus.blocked where aggregate = $1")
                .bind(dish)
                .fetch_one(bench.pool())
                .await
                .unwrap();
        waits == 1
    })
    .await;
    assert_eq!(filter(&bench).await, BOTH);
    assert_eq!(bench.tally(dish).await, [1, 2, 3]);
    first.cancel();
    bench.consume_as(newer(&bench));
    happen(&bench, ITEM, dish, 5).await;
    eventually("it takes effect with the newer", async || {
        bench.tally(dish).await == [1, 2, 3, 4, 5]
    })
    .await;
    assert_eq!(bench.effects().await, 9);
    bench.end().await;
}

#[tokio::test]
async fn a_durable_from_before_families_were_kept_counts_as_it_is() {
    let bench = Bench::new().await;
    let (place, dish) = (bench.clock.new_id(), bench.clock.new_id());
    let first = bench.consume_as(older(&bench));
    happen(&bench, RESTAURANT, place, 1).await;
    happen(&bench, ITEM, dish, 1).await;
    eventually("it has its own", async || bench.effects().await == 1).await;
    first.cancel();
    sqlx::raw_sql("delete from bus.families")
        .execute(bench.pool())
        .await
        .unwrap();
    bench.consume_as(newer(&bench));
    eventually("the history comes", async || bench.tally(dish).await == [1]).await;
    assert_eq!(bench.tally(place).await, [1]);
    bench.end().await;
}
