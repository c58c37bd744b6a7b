//! The read model of orders: what there is to bring.

use sqlx::PgConnection;
use tiffin_events::{Coordinates, Money, OrderId, RestaurantId, UserId};
use uuid::Uuid;

use crate::{delivery::Order, scope::Scope};

/// The order that a request names by `_id` or `orderId`, if the caller may see it; locked, so that it
/// is not called off meanwhile.
pub async fn find(tx: &mut PgConnection, scope: Scope, key: &str) -> sqlx::Result<Option<Order>> {
    let row = sqlx::query!(
        "select id, code, customer_id, owner_id, restaurant_id, item_name, image, quantity, price, total,
                address, dest_lat, dest_lng, called_off
         from orders
         where (id = $1 or code = $2)
           and ($3::uuid is null or customer_id = $3)
           and ($4::uuid is null or owner_id = $4)
         for update",
        key.parse::<Uuid>().ok(),
        key.to_ascii_uppercase(),
        scope.customer,
        scope.owner,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| Order {
        id: OrderId(row.id),
        code: row.code,
        customer_id: UserId(row.customer_id),
        owner_id: UserId(row.owner_id),
        restaurant_id: RestaurantId(row.restaurant_id),
        item_name: row.item_name,
        image: row.image,
        quantity: row.quantity,
        price: Money::from_cents(row.price),
        total: Money::from_cents(row.total),
        address: row.address,
        destination: row
            .dest_lat
            .zip(row.dest_lng)
            .map(|(lat, lng)| Coordinates { lat, lng }),
        called_off: row.called_off,
    }))
}

/// Keeps what an order's event says of it. None of it ever changes.
pub async fn keep(tx: &mut PgConnection, order: &Order) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into orders
            (id, code, customer_id, owner_id, restaurant_id, item_name, image, quantity, price, total,
             address, dest_lat, dest_lng)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         on conflict (id) do nothing",
        order.id.0,
        order.code,
        order.customer_id.0,
        order.owner_id.0,
        order.restaurant_id.0,
        order.item_name,
        order.image,
        order.quantity,
        order.price.cents(),
        order.total.cents(),
        order.address,
        order.destination.map(|place| place.lat),
        order.destination.map(|place| place.lng),
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn call_off(tx: &mut PgConnection, OrderId(id): OrderId) -> sqlx::Result<()> {
    sqlx::query!("update orders set called_off = true where id = $1", id)
        .execute(tx)
        .await?;
    Ok(())
}
