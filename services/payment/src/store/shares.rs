//! Each order's share of its checkout. Whoever changes it holds the checkout's orders.

use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_events::{CheckoutId, Money, OrderId};
use uuid::Uuid;

use crate::checkout::Checkout;

/// The shares that are fixed.
pub async fn of_checkout(
    tx: &mut PgConnection,
    CheckoutId(id): CheckoutId,
) -> sqlx::Result<HashMap<OrderId, Money>> {
    let rows = sqlx::query!(
        "select order_id, amount from shares where checkout_id = $1",
        id
    )
    .fetch_all(tx)
    .await?;
    let shares = rows
        .into_iter()
        .map(|row| (OrderId(row.order_id), Money::from_cents(row.amount)));
    Ok(shares.collect())
}

/// Saves the shares of a held checkout.
pub async fn save(
    tx: &mut PgConnection,
    CheckoutId(id): CheckoutId,
    checkout: &Checkout,
) -> sqlx::Result<()> {
    let (orders, amounts): (Vec<Uuid>, Vec<i64>) = checkout
        .shares()
        .map(|(OrderId(order), share)| (order, share.cents()))
        .unzip();
    sqlx::query!(
        "insert into shares as s (checkout_id, order_id, amount)
         select $1, * from unnest($2::uuid[], $3::bigint[])
         on conflict (order_id) do update set amount = excluded.amount where s.amount <> excluded.amount",
        id,
        &orders,
        &amounts,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Lets the shares of a held checkout go that nobody has paid anything of, so that what is cancelled
/// meanwhile is not paid for.
pub async fn free(tx: &mut PgConnection, CheckoutId(id): CheckoutId) -> sqlx::Result<()> {
    sqlx::query!(
        "delete from shares
         where checkout_id = $1 and not exists (
            select from payments p join shares s on s.order_id = p.order_id
            where s.checkout_id = $1 and p.status <> 'declined'
         )",
        id
    )
    .execute(tx)
    .await?;
    Ok(())
}
