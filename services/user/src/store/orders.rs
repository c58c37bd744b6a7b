//! The table `orders_under_way`. An account that one of its orders concerns can't be closed.

use sqlx::PgConnection;
use tiffin_events::{UserId, order::OrderRefV1};
use uuid::Uuid;

/// True if an order under way concerns the account as customer, owner or driver.
pub(crate) async fn is_any_under_way(tx: &mut PgConnection, user: UserId) -> sqlx::Result<bool> {
    let found = sqlx::query_scalar!(
        r#"select exists (
            select from orders_under_way where customer_id = $1 or owner_id = $1 or driver_id = $1
        ) as "found!""#,
        user.0,
    );
    found.fetch_one(tx).await
}

/// Adds orders, or gives them their drivers.
pub(crate) async fn save(tx: &mut PgConnection, orders: &[&OrderRefV1]) -> sqlx::Result<()> {
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

/// Removes orders that are over.
pub(crate) async fn remove(tx: &mut PgConnection, orders: &[Uuid]) -> sqlx::Result<()> {
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
