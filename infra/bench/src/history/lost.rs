//! A broker and an event log that lost everything, brought back by operators' commands.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use futures_util::TryStreamExt;
use serde_json::Value;
use tiffin_events::Stream;

use super::{months::published_and_logged, platform::Platform};
use crate::replay::orders::Order;

/// Deletes every stream of the broker, and publishes again what archive and outboxes have.
pub async fn bring_back_the_broker(platform: &Platform) -> Result<()> {
    let jetstream = &platform.servers.broker.jetstream;
    let (held, _) = platform.stream().await?;
    ensure!(held > 0, "the broker has nothing to lose");
    let streams: Vec<String> = jetstream.stream_names().try_collect().await?;
    for stream in &streams {
        jetstream.delete_stream(stream).await?;
    }
    let began = Instant::now();
    platform.finish("/republish").await?;
    published_and_logged(platform).await?;
    let (again, _) = platform.stream().await?;
    println!(
        "the broker lost {} streams, ORDERS with {held} messages; {again} came back in {:.1} s",
        streams.len(),
        began.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Empties the event log, and rebuilds it. What the archive has does not come back into the log; both together answer
/// for all `events`.
pub async fn bring_back_the_log(platform: &Platform, orders: &[Order], events: u64) -> Result<()> {
    let lost = rows(platform).await?;
    sqlx::raw_sql("truncate events, log_starts, archived_segments, archived_orders")
        .execute(&platform.operator)
        .await?;
    let began = Instant::now();
    platform.finish("/projections/event-log/rebuild").await?;
    let seconds = began.elapsed().as_secs_f64();
    let (again, archived) = (rows(platform).await?, archived_alone(platform).await?);
    ensure!(
        again > 0 && again + archived == events,
        "{again} rows and {archived} archived events instead of {events}"
    );
    let verified = platform.finish("/projections/event-log/verify").await?;
    ensure!(
        verified.iter().all(|it| it["report"]["equal"] == true),
        "{verified:?}"
    );
    println!(
        "the event log lost {lost} rows of ORDERS; {again} came back in {seconds:.1} s, equal, and the archive has the \
         other {archived} events"
    );
    for order in [orders.first(), orders.last()] {
        let order = order.context("an order")?;
        let id = order.id().0;
        let began = Instant::now();
        let found = platform.get(&format!("/events?aggregate={id}")).await?;
        let found = found.as_array().map_or(0, Vec::len);
        ensure!(
            i64::try_from(found)? == order.version(),
            "order {}: {found} events are found",
            order.number()
        );
        println!(
            "order {}: its {found} events found in {} ms",
            order.number(),
            began.elapsed().as_millis()
        );
    }
    let check = platform.finish("/projections/archive/verify").await?;
    ensure!(
        check.iter().all(|it| it["report"]["equal"] == true),
        "{}",
        check.first().unwrap_or(&Value::Null)
    );
    println!("the archive's hashes are right");
    Ok(())
}

/// The rows of ORDERS in the event log.
async fn rows(platform: &Platform) -> Result<u64> {
    let rows: i64 = sqlx::query_scalar("select count(*) from events where stream = 'ORDERS'")
        .fetch_one(&platform.operator)
        .await?;
    Ok(u64::try_from(rows)?)
}

/// The events of ORDERS that the archive alone answers for.
async fn archived_alone(platform: &Platform) -> Result<u64> {
    let start: Option<i64> =
        sqlx::query_scalar("select seq from log_starts where stream = 'ORDERS'")
            .fetch_optional(&platform.operator)
            .await?;
    let start = u64::try_from(start.unwrap_or(1))?;
    let segments = platform.archive.segments(Stream::Orders).await?;
    let before = segments.iter().filter(|it| it.last < start);
    Ok(before.map(|it| it.count).sum())
}
