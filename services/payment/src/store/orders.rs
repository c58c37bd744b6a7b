//! The read model of orders, and each one's share of its checkout.

use sqlx::PgConnection;
use tiffin_events::{
    CheckoutId, Money, OrderId, UserId,
    order::{OrderPlacedV1, OrderRefV1},
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    checkout::{Checkout, Line},
    payment::OrderOfPayment,
};

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

/// The orders of a checkout in the cart's order (that of their ids), locked until the transaction
/// ends.
pub async fn hold_checkout(
    tx: &mut PgConnection,
    CheckoutId(id): CheckoutId,
) -> sqlx::Result<Checkout> {
    let rows = sqlx::query!(
        "select id, total, cancelled, share from orders where checkout_id = $1 order by id for update",
        id
    )
    .fetch_all(tx)
    .await?;
    let lines = rows.into_iter().map(|row| Line {
        order: OrderId(row.id),
        total: Money::from_cents(row.total),
        cancelled: row.cancelled,
        share: row.share.map(Money::from_cents),
    });
    Ok(Checkout::new(lines.collect()))
}

/// Saves the shares of a held checkout.
pub async fn save_shares(tx: &mut PgConnection, checkout: &Checkout) -> sqlx::Result<()> {
    let (ids, shares): (Vec<Uuid>, Vec<i64>) = checkout
        .shares()
        .map(|(OrderId(id), share)| (id, share.cents()))
        .unzip();
    sqlx::query!(
        "update orders o set share = s.share
         from unnest($1::uuid[], $2::bigint[]) as s (id, share)
         where o.id = s.id and o.share is distinct from s.share",
        &ids,
        &shares,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Lets the shares of a held checkout go that nobody has paid anything of, so that what is cancelled
/// meanwhile is not paid for.
pub async fn free_shares(tx: &mut PgConnection, CheckoutId(id): CheckoutId) -> sqlx::Result<()> {
    sqlx::query!(
        "update orders set share = null
         where checkout_id = $1 and share is not null and not exists (
            select from payments p join orders o on o.id = p.order_id
            where o.checkout_id = $1 and p.status <> 'declined'
         )",
        id
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Keeps an order that was placed.
pub async fn keep(
    tx: &mut PgConnection,
    placed: &OrderPlacedV1,
    placed_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into orders (id, code, checkout_id, customer_id, owner_id, restaurant_id, item_name, quantity,
                             price, total, address, placed_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         on conflict (id) do nothing",
        placed.order.order_id.0,
        placed.order.order_code,
        placed.order.checkout_id.0,
        placed.order.customer_id.0,
        placed.order.owner_id.0,
        placed.order.restaurant_id.0,
        placed.item_name,
        placed.quantity,
        placed.price.cents(),
        placed.total_amount.cents(),
        placed.address,
        placed_at,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Marks an order of a held checkout as one that is not to be paid any more.
pub async fn cancel(tx: &mut PgConnection, order: &OrderRefV1) -> sqlx::Result<()> {
    sqlx::query!(
        "update orders set cancelled = true where id = $1",
        order.order_id.0
    )
    .execute(tx)
    .await?;
    Ok(())
}
