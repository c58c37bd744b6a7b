//! The numbers of orders by status.

use serde::Serialize;
use sqlx::PgConnection;
use tiffin_chassis::Scope;
use utoipa::ToSchema;

/// The number of orders by status.
#[derive(Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct OrderCounts {
    pub pending: i64,
    pub confirmed: i64,
    pub preparing: i64,
    pub dispatched: i64,
    pub delivered: i64,
    pub cancelled: i64,
    /// Of any status but cancelled, those that no administrator has approved yet.
    pub unapproved: i64,
}

pub async fn read(connection: &mut PgConnection, scope: Scope) -> sqlx::Result<OrderCounts> {
    sqlx::query_as!(
        OrderCounts,
        r#"select count(*) filter (where status = 'pending') as "pending!",
                  count(*) filter (where status = 'confirmed') as "confirmed!",
                  count(*) filter (where status = 'preparing') as "preparing!",
                  count(*) filter (where status = 'dispatched') as "dispatched!",
                  count(*) filter (where status = 'delivered') as "delivered!",
                  count(*) filter (where status = 'cancelled') as "cancelled!",
                  count(*) filter (where not approved and status <> 'cancelled') as "unapproved!"
           from orders
           where deleted_at is null
             and ($1::uuid is null or customer_id = $1)
             and ($2::uuid is null or owner_id = $2)
             and ($3::uuid is null or driver_id = $3)"#,
        scope.customer,
        scope.owner,
        scope.driver,
    )
    .fetch_one(connection)
    .await
}
