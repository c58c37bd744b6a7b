//! The numbers of orders by status.

use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use tiffin_chassis::Scope;
use tiffin_events::{RestaurantId, UserId};
use utoipa::{IntoParams, ToSchema};

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

/// The orders to count, of those that the caller sees.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct Counted {
    /// Only those of this customer, owner or driver.
    #[param(value_type = Option<String>)]
    user_id: Option<UserId>,
    /// Only those from this restaurant.
    #[param(value_type = Option<String>)]
    restaurant_id: Option<RestaurantId>,
}

pub async fn read(
    connection: &mut PgConnection,
    scope: Scope,
    counted: Counted,
) -> sqlx::Result<OrderCounts> {
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
             and ($3::uuid is null or driver_id = $3)
             and ($4::uuid is null or customer_id = $4 or owner_id = $4 or driver_id = $4)
             and ($5::uuid is null or restaurant_id = $5)"#,
        scope.customer,
        scope.owner,
        scope.driver,
        counted.user_id.map(|user| user.0),
        counted.restaurant_id.map(|restaurant| restaurant.0),
    )
    .fetch_one(connection)
    .await
}
