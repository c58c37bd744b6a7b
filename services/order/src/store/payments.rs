//! The read model of payments: which orders are paid.

use sqlx::PgConnection;
use tiffin_events::{OrderId, PaymentId, payment::PaymentRefV1};

/// Whether money was taken for an order and has not gone back.
pub async fn is_paid(tx: &mut PgConnection, OrderId(id): OrderId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (select from payments where order_id = $1) as "is_paid!""#,
        id
    )
    .fetch_one(tx)
    .await
}

pub async fn keep(tx: &mut PgConnection, payment: &PaymentRefV1) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into payments (id, order_id) values ($1, $2) on conflict (id) do nothing",
        payment.payment_id.0,
        payment.order_id.0,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn remove(tx: &mut PgConnection, PaymentId(id): PaymentId) -> sqlx::Result<()> {
    sqlx::query!("delete from payments where id = $1", id)
        .execute(tx)
        .await?;
    Ok(())
}
