//! The read model of orders: whose they are.

use sqlx::PgConnection;
use tiffin_events::{OrderId, UserId, order::OrderRefV1};
use uuid::Uuid;

use crate::Error;

/// Whose an order is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub id: OrderId,
    pub code: String,
    pub customer: UserId,
    pub owner: UserId,
}

/// An order by its id or its code, held until the transaction ends: telling its people what an event
/// says and telling them on request go one after the other.
pub async fn find(tx: &mut PgConnection, id_or_code: &str) -> Result<Option<Order>, Error> {
    let row = sqlx::query!(
        "select id, code, customer_id, owner_id from orders where id = $1 or code = $2 for update",
        id_or_code.parse::<Uuid>().ok(),
        id_or_code.to_ascii_uppercase(),
    );
    Ok(row.fetch_optional(tx).await?.map(|row| Order {
        id: OrderId(row.id),
        code: row.code,
        customer: UserId(row.customer_id),
        owner: UserId(row.owner_id),
    }))
}

/// Holds an order, if it is known, until the transaction ends.
pub async fn hold(tx: &mut PgConnection, id: OrderId) -> Result<(), Error> {
    sqlx::query!("select id from orders where id = $1 for update", id.0)
        .fetch_optional(tx)
        .await?;
    Ok(())
}

/// Keeps whose an order is.
pub async fn keep(tx: &mut PgConnection, order: &OrderRefV1) -> Result<(), Error> {
    sqlx::query!(
        "insert into orders (id, code, customer_id, owner_id) values ($1, $2, $3, $4) on conflict (id) do nothing",
        order.order_id.0,
        order.order_code,
        order.customer_id.0,
        order.owner_id.0,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Sets whether an order is confirmed; false where it was that already.
pub async fn set_confirmed(
    tx: &mut PgConnection,
    id: OrderId,
    confirmed: bool,
) -> Result<bool, Error> {
    let changed = sqlx::query!(
        "update orders set confirmed = $2 where id = $1 and confirmed <> $2",
        id.0,
        confirmed
    );
    Ok(changed.execute(tx).await?.rows_affected() > 0)
}
