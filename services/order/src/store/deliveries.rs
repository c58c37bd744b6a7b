//! The read model of deliveries: which one brings an order, and how far it is.

use sqlx::PgConnection;
use tiffin_events::{
    OrderId,
    delivery::{DeliveryRefV1, DeliveryStatus},
};

/// Whether an order's delivery has left the restaurant.
pub async fn has_set_out(tx: &mut PgConnection, OrderId(id): OrderId) -> sqlx::Result<bool> {
    let status = sqlx::query_scalar!("select status from deliveries where order_id = $1", id)
        .fetch_optional(tx)
        .await?;
    Ok(status.is_some_and(|status| status != DeliveryStatus::PickedUp.as_str()))
}

pub async fn keep(
    tx: &mut PgConnection,
    delivery: &DeliveryRefV1,
    status: DeliveryStatus,
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into deliveries (order_id, delivery_id, status) values ($1, $2, $3)
         on conflict (order_id) do update set delivery_id = excluded.delivery_id, status = excluded.status",
        delivery.order_id.0,
        delivery.delivery_id.0,
        status.as_str(),
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn remove(tx: &mut PgConnection, OrderId(id): OrderId) -> sqlx::Result<()> {
    sqlx::query!("delete from deliveries where order_id = $1", id)
        .execute(tx)
        .await?;
    Ok(())
}
