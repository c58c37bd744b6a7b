//! The read model of deliveries: whether an order that was called off is certainly not brought.

use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_events::{CheckoutId, OrderId};

/// Keeps whether deliveries were called off. That is for good.
pub async fn keep(tx: &mut PgConnection, deliveries: &HashMap<OrderId, bool>) -> sqlx::Result<()> {
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

/// Keeps that an order was confirmed: the delivery service makes a delivery of it.
pub async fn expect(tx: &mut PgConnection, OrderId(order): OrderId) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into confirmed_orders (order_id) values ($1) on conflict do nothing",
        order
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Keeps the two that say whether money goes back, that an order is called off and that its delivery is, from
/// passing each other unseen: the later one finds the other.
pub async fn lock(tx: &mut PgConnection, OrderId(order): OrderId) -> sqlx::Result<()> {
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended($1, 0))",
        format!("end of {order}")
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The checkout of an order that is called off, if it is.
pub async fn called_off(
    tx: &mut PgConnection,
    OrderId(order): OrderId,
) -> sqlx::Result<Option<CheckoutId>> {
    let checkout = sqlx::query_scalar!(
        "select checkout_id from orders where id = $1 and cancelled",
        order
    );
    Ok(checkout.fetch_optional(tx).await?.map(CheckoutId))
}
