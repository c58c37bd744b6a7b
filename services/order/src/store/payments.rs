//! The read model of payments: the captures of each checkout, less refunds.

use sqlx::PgConnection;
use tiffin_events::{
    OrderId,
    payment::{PaymentRefV1, PaymentRefundedV1},
};

/// True if money is captured for an order: its checkout is paid, or a payment of the order itself has not been
/// refunded.
pub async fn is_captured(tx: &mut PgConnection, OrderId(id): OrderId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (select from payments where order_id = $1)
               or coalesce((select sum(p.amount - p.refunded) from payments p where p.checkout_id = o.checkout_id)
                   >= (select sum(l.total) from orders l
                       where l.checkout_id = o.checkout_id and l.status <> 'cancelled' and l.deleted_at is null)
                    - (select coalesce(sum(r.amount), 0) from refunds r join orders l on l.id = r.order_id
                       where r.checkout_id = o.checkout_id and l.status <> 'cancelled' and l.deleted_at is null),
                   false) as "is_held!"
           from orders o where o.id = $1"#,
        id
    )
    .fetch_optional(tx)
    .await
    .map(|found| found.unwrap_or(false))
}

pub async fn save(tx: &mut PgConnection, payments: &[&PaymentRefV1]) -> sqlx::Result<()> {
    if payments.is_empty() {
        return Ok(());
    }
    let ids: Vec<_> = payments.iter().map(|it| it.payment_id.0).collect();
    let orders: Vec<_> = payments.iter().map(|it| it.order_id.0).collect();
    let checkouts: Vec<_> = payments.iter().map(|it| it.checkout_id.0).collect();
    let amounts: Vec<_> = payments.iter().map(|it| it.amount.cents()).collect();
    sqlx::query!(
        "insert into payments (id, order_id, checkout_id, amount)
         select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[])
         on conflict (id) do nothing",
        &ids,
        &orders,
        &checkouts,
        &amounts,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Saves the refunds of payments, and deletes payments that are refunded in full. A refund event has the sum of all
/// refunds so far, so the largest counts.
pub async fn apply_refunds(
    tx: &mut PgConnection,
    refunds: &[&PaymentRefundedV1],
) -> sqlx::Result<()> {
    if refunds.is_empty() {
        return Ok(());
    }
    let ids: Vec<_> = refunds.iter().map(|it| it.payment.payment_id.0).collect();
    let amounts: Vec<_> = refunds.iter().map(|it| it.in_all().cents()).collect();
    sqlx::query!(
        "update payments p set refunded = greatest(p.refunded, r.refunded)
         from (select id, max(refunded) as refunded from unnest($1::uuid[], $2::bigint[]) as r (id, refunded)
               group by id) r
         where r.id = p.id",
        &ids,
        &amounts,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "delete from payments where id = any ($1) and refunded >= amount",
        &ids
    )
    .execute(tx)
    .await?;
    Ok(())
}
