//! The delivery service's read model of orders, rebuilt by its own consumer: from the stream, from the archive, and from
//! a snapshot, by turns. Each time it is compared with what the orders themselves say.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use sqlx::PgPool;
use tempfile::TempDir;
use tiffin_archive::Archive;
use tiffin_bus::{
    Broker,
    archiver::{self, Window},
    history::{Command, Selection},
};
use tiffin_chassis::Env;
use tiffin_delivery::{MIGRATIONS, State, consumers};
use tiffin_events::{Clock, Stream};
use tiffin_testkit::{recorder, verifier};
use uuid::Uuid;

use super::{
    orders::{self, Order},
    servers::{Service, TestServers},
};
use crate::figures::median;

pub const CONSUMER: &str = "delivery_ORDERS";

/// Medians of the seconds that a rebuild takes, from asking to the swap.
pub struct Seconds {
    pub stream: f64,
    pub archive: f64,
}

/// Compares rebuilds of the same orders. `servers` have them in the stream; others get them in the archive.
pub async fn compare(
    servers: &TestServers,
    orders: &[Order],
    events: u64,
    rounds: u32,
) -> Result<Seconds> {
    let in_stream = OrdersModel::start(servers, orders, events).await?;
    let folder = TempDir::new()?;
    let archive = Archive::folder(folder.path().to_owned());
    let mut others = TestServers::start_with(Some(archive.clone())).await?;
    orders::publish(&others.broker, events).await?;
    archive_all(&others.broker, &archive).await?;
    let in_archive = OrdersModel::start(&others, orders, events).await?;
    println!("\n{CONSUMER} rebuilt from {events} events, {rounds} rounds by turns; seconds");
    println!("{:>12} {:>12} {:>12}", "stream", "archive", "snapshot");
    let (mut all_stream, mut all_archive, mut all_snapshot) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let stream = in_stream.rebuild(true).await?;
        let archive = in_archive.rebuild(true).await?;
        let snapshot = in_archive.rebuild(false).await?;
        println!("{stream:>12.1} {archive:>12.1} {snapshot:>12.1}");
        all_stream.push(stream);
        all_archive.push(archive);
        all_snapshot.push(snapshot);
    }
    let (stream, archive) = (median(all_stream), median(all_archive));
    let snapshot = median(all_snapshot);
    println!(
        "medians: {:.0} events a second from the stream, {:.0} from the archive: {:.2} of the stream's speed; \
         from the snapshot {:.2} of the stream's time",
        per_second(events, stream),
        per_second(events, archive),
        stream / archive,
        snapshot / stream,
    );
    drop(in_archive);
    others.stop().await;
    Ok(Seconds { stream, archive })
}

/// Moves all orders to the archive.
async fn archive_all(broker: &Broker, archive: &Archive) -> Result<()> {
    let window = Window {
        max_age: Duration::ZERO,
        min_segment_bytes: 1,
        ..Window::default()
    };
    let began = Instant::now();
    let (mut segments, mut count) = (0, 0);
    while let Some(segment) = archiver::step(
        broker,
        archive,
        Stream::Orders,
        window,
        Clock::system().now(),
    )
    .await?
    {
        segments += 1;
        count += segment.count;
    }
    println!(
        "{count} events in {segments} segments: archived in {:.1} s",
        began.elapsed().as_secs_f64()
    );
    Ok(())
}

/// A delivery service whose read model is what the orders themselves say.
pub struct OrdersModel<'a> {
    service: Service<'a>,
    pub pool: PgPool,
    events: u64,
}

impl<'a> OrdersModel<'a> {
    pub async fn start(servers: &'a TestServers, orders: &[Order], events: u64) -> Result<Self> {
        let pool = servers.database("tiffin_delivery", &MIGRATIONS).await?;
        serve(&pool, orders).await?;
        let clock = Clock::system();
        let client = servers.broker.client.clone();
        let state = State::new(
            pool.clone(),
            verifier(&clock),
            recorder(&clock),
            client,
            &Env::default(),
        )?;
        let service = Service::start(servers, "delivery", &pool, &consumers(&state));
        service.ready().await?;
        Ok(Self {
            service,
            pool,
            events,
        })
    }

    /// Seconds that a rebuild takes, which must say the same as the orders. Without `from_first_event` it must start
    /// from a snapshot.
    pub async fn rebuild(&self, from_first_event: bool) -> Result<f64> {
        let read = from_first_event.then_some(self.events);
        let (report, seconds) = self.service.rebuild(CONSUMER, read).await?;
        ensure!(
            report["equal"] == true,
            "the read model is not what it has to be: {report}"
        );
        Ok(seconds)
    }

    /// The number of events that take effect in a replay of everything.
    pub async fn replay_all(&self) -> Result<i64> {
        let command = Command::Replay {
            id: Clock::system().new_id(),
            consumer: CONSUMER.to_owned(),
            selection: Selection {
                from: 1,
                to: self.events,
                filter: None,
            },
            rate: None,
        };
        let operation = self.service.finish(&command).await?;
        let through = u64::try_from(operation.handled + operation.skipped)?;
        ensure!(
            through == self.events && operation.failed == 0,
            "{through} of {} events went through, {} failed",
            self.events,
            operation.failed
        );
        Ok(operation.handled)
    }
}

/// Writes the expected read model from the orders themselves in place of the serving one: a rebuild goes as
/// far as the serving consumer has come, and is compared with it.
async fn serve(pool: &PgPool, orders: &[Order]) -> Result<()> {
    for chunk in orders.chunks(5_000) {
        let rows: Vec<Value> = chunk.iter().map(|order| row(*order)).collect();
        sqlx::query("insert into orders select * from jsonb_populate_recordset(null::orders, $1)")
            .bind(Value::Array(rows))
            .execute(pool)
            .await?;
    }
    count_as_handled(pool, CONSUMER, orders).await
}

/// Counts every event of the orders as handled by a consumer.
pub async fn count_as_handled(pool: &PgPool, consumer: &str, orders: &[Order]) -> Result<()> {
    for chunk in orders.chunks(5_000) {
        let (ids, versions): (Vec<Uuid>, Vec<i64>) = chunk
            .iter()
            .map(|order| (order.id().0, order.version()))
            .unzip();
        sqlx::query(
            "insert into bus.reached (consumer, aggregate, sequence)
             select $1, aggregate, sequence
             from unnest($2::uuid[], $3::bigint[]) as n (aggregate, sequence)",
        )
        .bind(consumer)
        .bind(ids)
        .bind(versions)
        .execute(pool)
        .await?;
    }
    Ok(())
}

fn row(order: Order) -> Value {
    let placed = order.placed();
    json!({
        "id": placed.order.order_id,
        "code": placed.order.order_code,
        "customer_id": placed.order.customer_id,
        "owner_id": placed.order.owner_id,
        "restaurant_id": placed.order.restaurant_id,
        "checkout_id": placed.order.checkout_id,
        "item_name": placed.item_name,
        "image": placed.image,
        "quantity": placed.quantity,
        "price": placed.price.cents(),
        "total": placed.total_amount.cents(),
        "address": placed.address,
        "dest_lat": placed.dest_lat,
        "dest_lng": placed.dest_lng,
        "called_off": order.is_cancelled(),
    })
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn per_second(count: u64, seconds: f64) -> f64 {
    count as f64 / seconds.max(1e-9)
}
