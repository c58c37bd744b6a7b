//! The deliveries of a ticket: those of one checkout from one restaurant that one driver brings.

use sqlx::PgConnection;
use tiffin_events::{DeliveryId, OrderId, delivery::DeliveryStatus};

use super::deliveries;

/// A delivery of a ticket.
#[derive(Clone, Copy, Debug)]
pub struct TicketDelivery {
    pub id: DeliveryId,
    pub status: DeliveryStatus,
}

/// The deliveries of the ticket of a delivery that are not cancelled, locked until the transaction ends. An order whose
/// checkout is unknown is a ticket by itself.
pub async fn lock(
    tx: &mut PgConnection,
    DeliveryId(id): DeliveryId,
) -> sqlx::Result<Vec<TicketDelivery>> {
    let rows = sqlx::query!(
        "select t.id, t.status
         from deliveries named
         join orders o on o.id = named.order_id
         join orders p on p.id = o.id or p.checkout_id = o.checkout_id and p.restaurant_id = o.restaurant_id
         join deliveries t on t.order_id = p.id and t.driver_id = named.driver_id
         where named.id = $1 and t.cancelled_at is null
         order by t.id for update of t",
        id,
    )
    .fetch_all(tx)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(TicketDelivery {
                id: DeliveryId(row.id),
                status: deliveries::status(&row.status)?,
            })
        })
        .collect()
}

/// Locks the deliveries of orders in the order of their ids, as [`lock`] does.
pub async fn lock_all(tx: &mut PgConnection, orders: &[OrderId]) -> sqlx::Result<()> {
    if orders.len() < 2 {
        return Ok(());
    }
    let orders: Vec<_> = orders.iter().map(|order| order.0).collect();
    sqlx::query!(
        "select id from deliveries where order_id = any($1) order by id for update",
        &orders,
    )
    .fetch_all(tx)
    .await?;
    Ok(())
}
