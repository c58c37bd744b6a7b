//! The orders under way, from the order service's events. An account that one of them concerns can't be
//! closed.

use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_bus::{Decoded, Failure, Handle};
use tiffin_events::{
    OrderId, UserId,
    order::{OrderEvent, OrderRefV1, OrderStatus},
};
use uuid::Uuid;

use crate::State;

impl Handle<OrderEvent> for State {
    /// Many in two statements: the last that is said of each order counts.
    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, OrderEvent>],
    ) -> Result<(), Failure> {
        let last: HashMap<OrderId, _> = events
            .iter()
            .filter_map(|(_, event)| standing(event))
            .map(|(order, is_under_way)| (order.order_id, (order, is_under_way)))
            .collect();
        let (under_way, over): (Vec<_>, Vec<_>) = last.into_values().partition(|(_, is)| *is);
        let under_way: Vec<_> = under_way.into_iter().map(|(order, _)| order).collect();
        keep(tx, &under_way).await?;
        let over = over.into_iter().map(|(order, _)| order.order_id.0);
        Ok(forget(tx, &over.collect::<Vec<_>>()).await?)
    }
}

/// An order, and whether it is under way from this event on; `None` where nothing changes about that.
fn standing(event: &OrderEvent) -> Option<(&OrderRefV1, bool)> {
    match event {
        OrderEvent::Placed(placed) => Some((&placed.order, true)),
        OrderEvent::Confirmed(confirmed) => Some((&confirmed.order, true)),
        OrderEvent::Reopened(reopened) => Some((&reopened.order, true)),
        OrderEvent::CancelRefused(refused) => {
            Some((&refused.order, refused.to != OrderStatus::Delivered))
        }
        OrderEvent::Delivered(order)
        | OrderEvent::Cancelled(order)
        | OrderEvent::Deleted(order) => Some((order, false)),
        OrderEvent::Approved(_) | OrderEvent::Preparing(_) | OrderEvent::Dispatched(_) => None,
    }
}

/// True if an order under way concerns the account as customer, owner or driver.
pub(crate) async fn concern(tx: &mut PgConnection, user: UserId) -> sqlx::Result<bool> {
    let found = sqlx::query_scalar!(
        r#"select exists (
            select from orders_under_way where customer_id = $1 or owner_id = $1 or driver_id = $1
        ) as "found!""#,
        user.0,
    );
    found.fetch_one(tx).await
}

async fn keep(tx: &mut PgConnection, orders: &[&OrderRefV1]) -> sqlx::Result<()> {
    if orders.is_empty() {
        return Ok(());
    }
    let ids: Vec<_> = orders.iter().map(|order| order.order_id.0).collect();
    let customers: Vec<_> = orders.iter().map(|order| order.customer_id.0).collect();
    let owners: Vec<_> = orders.iter().map(|order| order.owner_id.0).collect();
    let drivers = orders.iter().map(|order| order.driver_id.map(|id| id.0));
    sqlx::query!(
        "insert into orders_under_way (order_id, customer_id, owner_id, driver_id)
         select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[])
         on conflict (order_id) do update set driver_id = excluded.driver_id",
        &ids,
        &customers,
        &owners,
        &drivers.collect::<Vec<_>>() as &[Option<Uuid>],
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn forget(tx: &mut PgConnection, orders: &[Uuid]) -> sqlx::Result<()> {
    if orders.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "delete from orders_under_way where order_id = any ($1)",
        orders
    )
    .execute(tx)
    .await?;
    Ok(())
}
