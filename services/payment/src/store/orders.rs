//! The read model of orders.

use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_events::{CheckoutId, OrderId, UserId, order::OrderPlacedV1};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::payment::OrderOfPayment;

/// A customer's order by its `_id` or `orderId`.
pub async fn find(
    tx: &mut PgConnection,
    UserId(customer): UserId,
    key: &str,
) -> sqlx::Result<Option<OrderOfPayment>> {
    let row = sqlx::query!(
        "select id, code, checkout_id, owner_id from orders
         where (id = $1 or code = $2) and customer_id = $3",
        key.parse::<Uuid>().ok(),
        key.to_ascii_uppercase(),
        customer,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| OrderOfPayment {
        id: OrderId(row.id),
        code: row.code,
        checkout_id: CheckoutId(row.checkout_id),
        customer_id: UserId(customer),
        owner_id: UserId(row.owner_id),
    }))
}

/// Saves orders with the times at which they were placed, and without the address of a closed account.
pub async fn save(
    tx: &mut PgConnection,
    placed: &[(&OrderPlacedV1, OffsetDateTime)],
) -> sqlx::Result<()> {
    if placed.is_empty() {
        return Ok(());
    }
    let orders = || placed.iter().map(|(order, _)| order);
    let ids: Vec<_> = orders().map(|order| order.order.order_id.0).collect();
    let codes: Vec<_> = orders().map(|o| o.order.order_code.clone()).collect();
    let checkouts: Vec<_> = orders().map(|order| order.order.checkout_id.0).collect();
    let customers: Vec<_> = orders().map(|order| order.order.customer_id.0).collect();
    tiffin_database::keep_from_erasure(tx, &customers).await?;
    let owners: Vec<_> = orders().map(|order| order.order.owner_id.0).collect();
    let restaurants: Vec<_> = orders().map(|o| o.order.restaurant_id.0).collect();
    let items: Vec<_> = orders().map(|order| order.item_name.clone()).collect();
    let quantities: Vec<_> = orders().map(|order| order.quantity).collect();
    let prices: Vec<_> = orders().map(|order| order.price.cents()).collect();
    let totals: Vec<_> = orders().map(|order| order.total_amount.cents()).collect();
    let addresses: Vec<_> = orders().map(|order| order.address.clone()).collect();
    let times: Vec<_> = placed.iter().map(|(_, placed_at)| *placed_at).collect();
    sqlx::query!(
        "insert into orders (id, code, checkout_id, customer_id, owner_id, restaurant_id, item_name, quantity,
                             price, total, address, placed_at)
         select n.id, code, checkout_id, customer_id, owner_id, restaurant_id, item_name, quantity, price, total,
                case when p.deleted then '' else address end, placed_at
         from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[],
                     $8::int[], $9::bigint[], $10::bigint[], $11::text[], $12::timestamptz[])
             as n (id, code, checkout_id, customer_id, owner_id, restaurant_id, item_name, quantity, price, total,
                   address, placed_at)
         left join people p on p.id = n.customer_id
         on conflict (id) do nothing",
        &ids,
        &codes,
        &checkouts,
        &customers,
        &owners,
        &restaurants,
        &items,
        &quantities,
        &prices,
        &totals,
        &addresses,
        &times,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Sets the cancellation of orders whose checkouts are locked.
pub async fn set_cancelled(
    tx: &mut PgConnection,
    orders: &HashMap<OrderId, bool>,
) -> sqlx::Result<()> {
    if orders.is_empty() {
        return Ok(());
    }
    let (ids, cancelled): (Vec<_>, Vec<_>) = orders
        .iter()
        .map(|(order, is_cancelled)| (order.0, *is_cancelled))
        .unzip();
    sqlx::query!(
        "update orders o set cancelled = said.off
         from unnest($1::uuid[], $2::boolean[]) as said (id, off) where said.id = o.id",
        &ids,
        &cancelled,
    )
    .execute(tx)
    .await?;
    Ok(())
}
