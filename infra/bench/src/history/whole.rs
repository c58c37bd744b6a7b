//! The whole history, read as one from archive and stream.

use anyhow::{Context, Result, ensure};
use sqlx::PgPool;
use tiffin_bus::read;
use tiffin_events::Stream;
use uuid::Uuid;

use super::platform::Platform;
use crate::replay::orders::Order;

/// The events of the whole history.
#[derive(Debug, PartialEq, Eq)]
pub struct Whole {
    pub events: u64,
    /// The sum of the ids of the first events.
    pub ids: u128,
}

/// Reads every event, and adds up the ids of the first ones. Each order's events must be there once, in their order and
/// to its last one.
pub async fn read(platform: &Platform, orders: &[Order], first: u64) -> Result<Whole> {
    let broker = &platform.servers.broker;
    let last = read::last(broker, Stream::Orders).await?;
    let mut window = read::open(broker, Stream::Orders, None, 1, last).await?;
    let mut versions = vec![0_i64; orders.len()];
    let (mut events, mut ids) = (0, 0_u128);
    loop {
        let batch = window.next().await?;
        if batch.is_empty() {
            break;
        }
        for message in batch {
            let event = &message.envelope;
            let id = |name: &str| event[name].as_str().unwrap_or_default().parse::<Uuid>();
            let (order, sequence) = (id("subject")?, event["sequence"].as_i64());
            let version = usize::try_from(Order::number_of(order))
                .ok()
                .and_then(|number| versions.get_mut(number))
                .with_context(|| format!("no order {order}"))?;
            *version += 1;
            ensure!(
                sequence == Some(*version),
                "order {order} has event {sequence:?} instead of {version}"
            );
            if events < first {
                ids = ids.wrapping_add(id("id")?.as_u128());
            }
            events += 1;
        }
    }
    for (order, version) in orders.iter().zip(versions) {
        let number = order.number();
        ensure!(
            order.version() == version,
            "order {number} has {version} of {} events",
            order.version()
        );
    }
    Ok(Whole { events, ids })
}

/// Number and hash of a read model's rows.
pub async fn hash(pool: &PgPool) -> Result<(i64, String)> {
    let hash =
        sqlx::query_as("select count(*), sum(hashtextextended(o::text, 0))::text from orders o");
    Ok(hash.fetch_one(pool).await?)
}
