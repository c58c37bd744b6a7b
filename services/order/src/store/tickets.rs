//! The orders of one checkout from one restaurant.

use sqlx::PgConnection;
use tiffin_events::{OrderId, order::OrderStatus};

use super::orders;

/// An order of a ticket.
#[derive(Clone, Copy, Debug)]
pub struct TicketOrder {
    pub id: OrderId,
    pub status: OrderStatus,
}

/// The orders of an order's ticket that are neither cancelled nor deleted, locked until the transaction ends.
pub async fn lock(tx: &mut PgConnection, OrderId(id): OrderId) -> sqlx::Result<Vec<TicketOrder>> {
    let rows = sqlx::query!(
        "select o.id, o.status
         from orders named
         join orders o on o.checkout_id = named.checkout_id and o.restaurant_id = named.restaurant_id
         where named.id = $1 and o.status <> 'cancelled' and o.deleted_at is null
         order by o.id for update of o",
        id,
    )
    .fetch_all(tx)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(TicketOrder {
                id: OrderId(row.id),
                status: orders::status(&row.status)?,
            })
        })
        .collect()
}

/// Locks orders in the order of their ids, as [`lock`] does.
pub async fn lock_all(tx: &mut PgConnection, ids: &[OrderId]) -> sqlx::Result<()> {
    if ids.len() < 2 {
        return Ok(());
    }
    let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
    sqlx::query!(
        "select id from orders where id = any($1) order by id for update",
        &ids,
    )
    .fetch_all(tx)
    .await?;
    Ok(())
}
