//! The delivery service's read model of orders, rebuilt by its own consumer, beside what it has to be.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use sqlx::PgPool;
use tiffin_bus::history::Command;
use tiffin_chassis::Env;
use tiffin_delivery::{MIGRATIONS, State, consumers};
use tiffin_events::Clock;
use tiffin_testkit::{recorder, verifier};
use uuid::Uuid;

use super::{
    orders::Order,
    servers::{Service, TestServers},
};

const CONSUMER: &str = "delivery_ORDERS";

/// Seconds that the rebuild takes, from asking to the swap.
pub async fn measure(servers: &TestServers, orders: &[Order], events: u64) -> Result<f64> {
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
    let command = Command::Rebuild {
        id: clock.new_id(),
        consumer: CONSUMER.to_owned(),
        from_first_event: true,
    };
    let began = Instant::now();
    let operation = service.finish(&command).await?;
    let seconds = began.elapsed().as_secs_f64();
    let report = operation.report.context("a rebuild has a report")?;
    let read = u64::try_from(operation.handled)?;
    ensure!(read >= events, "{read} of {events} events were read");
    println!(
        "\n{CONSUMER} rebuilt from {read} events in {seconds:.1} s: {:.0} a second",
        per_second(read, seconds)
    );
    for table in report["tables"].as_array().context("its tables")? {
        println!(
            "  {:<12} {:>9} rows, {:>9} expected; hash {}, {} expected",
            table["table"].as_str().unwrap_or_default(),
            table["rebuiltRows"],
            table["servingRows"],
            table["rebuiltHash"],
            table["servingHash"],
        );
    }
    ensure!(
        report["equal"] == true,
        "the read model is not what it has to be: {report}"
    );
    ensure!(report["failures"] == json!([]), "{}", report["failures"]);
    Ok(seconds)
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
        let (ids, versions): (Vec<Uuid>, Vec<i64>) = chunk
            .iter()
            .map(|order| (order.id().0, order.version()))
            .unzip();
        sqlx::query(
            "insert into bus.reached (consumer, aggregate, sequence)
             select $1, aggregate, sequence
             from unnest($2::uuid[], $3::bigint[]) as n (aggregate, sequence)",
        )
        .bind(CONSUMER)
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
