//! The read model of payments: which orders are paid.

use sqlx::PgConnection;
use tiffin_events::{OrderId, payment::PaymentRefV1};
use uuid::Uuid;

/// Whether money was taken for an order and has not gone back.
pub async fn is_paid(tx: &mut PgConnection, OrderId(id): OrderId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (select from payments where order_id = $1) as "is_paid!""#,
        id
    )
    .fetch_one(tx)
    .await
}

pub async fn keep(tx: &mut PgConnection, payments: &[&PaymentRefV1]) -> sqlx::Result<()> {
    if payments.is_empty() {
        return Ok(());
    }
    let (ids, orders): (Vec<_>, Vec<_>) = payments
        .iter()
        .map(|payment| (payment.payment_id.0, payment.order_id.0))
        .unzip();
    sqlx::query!(
        "insert into payments (id, order_id) select * from unnest($1::uuid[], $2::uuid[])
         on conflict (id) do nothing",
        &ids,
        &orders,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn remove(tx: &mut PgConnection, payments: &[Uuid]) -> sqlx::Result<()> {
    if payments.is_empty() {
        return Ok(());
    }
    sqlx::query!("delete from payments where id = any ($1)", payments)
        .execute(tx)
        .await?;
    Ok(())
}
