//! Checkouts: their orders and payments.

use sqlx::PgConnection;
use tiffin_events::{CheckoutId, Money, OrderId};

use super::payments::{self, Filter};
use crate::{
    checkout::{Checkout, Line},
    error::Error,
};

/// Locks a checkout's orders and payments until the transaction ends. Every change of a payment locks its
/// checkout's orders, so the payments are read once these are locked.
pub async fn lock(tx: &mut PgConnection, id: CheckoutId) -> Result<Checkout, Error> {
    sqlx::query!(
        "select id from orders where checkout_id = $1 order by id for update",
        id.0
    )
    .fetch_all(&mut *tx)
    .await?;
    sqlx::query!(
        "select id from payments where order_id in (select id from orders where checkout_id = $1)
         order by id for update",
        id.0
    )
    .fetch_all(&mut *tx)
    .await?;
    read(tx, id).await
}

/// Reads a checkout: its orders in the cart's order, which is that of their ids, and its payments, oldest
/// first.
pub async fn read(tx: &mut PgConnection, id: CheckoutId) -> Result<Checkout, Error> {
    let rows = sqlx::query!(
        r#"select o.id, o.total, o.cancelled,
                o.cancelled and coalesce(not d.is_over, c.order_id is not null) as "held!",
                (select coalesce(sum(r.amount), 0)::bigint from refunds r where r.order_id = o.id) as "allowance!"
         from orders o
         left join deliveries d on d.order_id = o.id
         left join confirmed_orders c on c.order_id = o.id
         where o.checkout_id = $1 order by o.id"#,
        id.0
    )
    .fetch_all(&mut *tx)
    .await?;
    let lines = rows.into_iter().map(|row| Line {
        order: OrderId(row.id),
        total: Money::from_cents(row.total),
        allowance: Money::from_cents(row.allowance),
        cancelled: row.cancelled,
        refund_waits: row.held,
    });
    let filter = Filter {
        checkout: Some(id.0),
        ..Filter::all()
    };
    let payments = payments::list(tx, filter).await?;
    let mut payments: Vec<_> = payments.into_iter().map(|(payment, _)| payment).collect();
    payments.sort_by_key(|payment| payment.id.0);
    Ok(Checkout::new(lines.collect(), payments))
}
