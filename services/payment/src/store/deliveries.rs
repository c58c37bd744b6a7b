//! The read model of deliveries. A cancelled order is refunded once its delivery is cancelled too.

use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_events::{CheckoutId, OrderId};

/// Saves the cancellation of deliveries. A cancelled delivery stays cancelled.
pub async fn save(tx: &mut PgConnection, deliveries: &HashMap<OrderId, bool>) -> sqlx::Result<()> {
    if deliveries.is_empty() {
        return Ok(());
    }
    let (orders, over): (Vec<_>, Vec<_>) =
        deliveries.iter().map(|(id, over)| (id.0, *over)).unzip();
    sqlx::query!(
        "insert into deliveries (order_id, is_over)
         select * from unnest($1::uuid[], $2::boolean[])
         on conflict (order_id) do update set is_over = deliveries.is_over or excluded.is_over",
        &orders,
        &over,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Records that an order was confirmed, so that a delivery of it is expected.
pub async fn expect_delivery(tx: &mut PgConnection, OrderId(order): OrderId) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into confirmed_orders (order_id) values ($1) on conflict do nothing",
        order
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Locks an order's end until the transaction ends. The events that cancel an order and its delivery both
/// take this lock, so that the later one sees the other and calls for the refund.
pub async fn lock(tx: &mut PgConnection, OrderId(order): OrderId) -> sqlx::Result<()> {
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended($1, 0))",
        format!("end of {order}")
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The checkout of an order, if the order is cancelled.
pub async fn checkout_if_cancelled(
    tx: &mut PgConnection,
    OrderId(order): OrderId,
) -> sqlx::Result<Option<CheckoutId>> {
    let checkout = sqlx::query_scalar!(
        "select checkout_id from orders where id = $1 and cancelled",
        order
    );
    Ok(checkout.fetch_optional(tx).await?.map(CheckoutId))
}
