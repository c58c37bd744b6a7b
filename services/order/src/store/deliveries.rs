//! The read model of deliveries: the delivery of each order, and its status.

use sqlx::PgConnection;
use tiffin_events::{
    OrderId,
    delivery::{DeliveryRefV1, DeliveryStatus},
};
use uuid::Uuid;

/// True if an order's delivery has left the restaurant.
pub async fn has_left(tx: &mut PgConnection, OrderId(id): OrderId) -> sqlx::Result<bool> {
    let status = sqlx::query_scalar!("select status from deliveries where order_id = $1", id)
        .fetch_optional(tx)
        .await?;
    Ok(status.is_some_and(|status| status != DeliveryStatus::PickedUp.as_str()))
}

/// Saves the status of deliveries, at most one an order.
pub async fn save(
    tx: &mut PgConnection,
    deliveries: &[(&DeliveryRefV1, DeliveryStatus)],
) -> sqlx::Result<()> {
    if deliveries.is_empty() {
        return Ok(());
    }
    let orders: Vec<_> = deliveries.iter().map(|(one, _)| one.order_id.0).collect();
    let ids: Vec<_> = deliveries
        .iter()
        .map(|(one, _)| one.delivery_id.0)
        .collect();
    let statuses: Vec<_> = deliveries
        .iter()
        .map(|(_, status)| status.as_str().to_owned())
        .collect();
    sqlx::query!(
        "insert into deliveries (order_id, delivery_id, status)
         select * from unnest($1::uuid[], $2::uuid[], $3::text[])
         on conflict (order_id) do update set delivery_id = excluded.delivery_id, status = excluded.status",
        &orders,
        &ids,
        &statuses,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn remove(tx: &mut PgConnection, orders: &[Uuid]) -> sqlx::Result<()> {
    if orders.is_empty() {
        return Ok(());
    }
    sqlx::query!("delete from deliveries where order_id = any ($1)", orders)
        .execute(tx)
        .await?;
    Ok(())
}
