//! The read model of refunds by people. What goes back because an order was cancelled is none.

use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_events::{
    Money,
    payment::{PaymentRefundIssuedV1, RefundReason, RefundedBy},
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::view::OrderRefund;

/// Saves refunds with the times at which they were made. Each event has the whole refund and one of its parts.
pub async fn save(
    tx: &mut PgConnection,
    issued: &[(&PaymentRefundIssuedV1, OffsetDateTime)],
) -> sqlx::Result<()> {
    if issued.is_empty() {
        return Ok(());
    }
    let refunds = || issued.iter().map(|(refund, _)| refund);
    let ids: Vec<_> = refunds().map(|it| it.refund_id.0).collect();
    let orders: Vec<_> = refunds().map(|it| it.refunded_order_id.0).collect();
    let checkouts: Vec<_> = refunds().map(|it| it.payment.checkout_id.0).collect();
    let amounts: Vec<_> = refunds().map(|it| it.refund_amount.cents()).collect();
    let sides: Vec<_> = refunds().map(|it| it.by.as_str().to_owned()).collect();
    let reasons: Vec<_> = refunds().map(|it| it.reason.as_str().to_owned()).collect();
    let times: Vec<_> = issued.iter().map(|(_, at)| *at).collect();
    let parts: Vec<_> = refunds().map(|it| it.parts).collect();
    let payments: Vec<_> = refunds().map(|it| it.payment.payment_id.0).collect();
    let refunded: Vec<_> = refunds().map(|it| it.refunded_then.cents()).collect();
    sqlx::query!(
        "insert into refunds (id, order_id, checkout_id, amount, made_by, reason, created_at, parts)
         select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::text[],
                              $7::timestamptz[], $8::int[])
         on conflict (id) do nothing",
        &ids,
        &orders,
        &checkouts,
        &amounts,
        &sides,
        &reasons,
        &times,
        &parts,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "insert into refund_parts (refund_id, payment_id, refunded_then)
         select * from unnest($1::uuid[], $2::uuid[], $3::bigint[])
         on conflict do nothing",
        &ids,
        &payments,
        &refunded,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The refunds of orders, oldest first. A payment that is refunded in full is no longer known.
pub async fn of_orders(
    tx: &mut PgConnection,
    orders: &[Uuid],
) -> sqlx::Result<HashMap<Uuid, Vec<OrderRefund>>> {
    let mut by_order: HashMap<_, Vec<_>> = HashMap::new();
    if orders.is_empty() {
        return Ok(by_order);
    }
    let rows = sqlx::query!(
        r#"select r.order_id, r.amount, r.made_by, r.reason, r.created_at,
                  (select count(*) = r.parts and coalesce(bool_and(p.id is null or p.refunded >= t.refunded_then), true)
                   from refund_parts t left join payments p on p.id = t.payment_id
                   where t.refund_id = r.id) as "is_made!"
           from refunds r where r.order_id = any ($1) order by r.id"#,
        orders,
    )
    .fetch_all(tx)
    .await?;
    for row in rows {
        let unreadable = |value: &str| sqlx::Error::Decode(format!("refunds: {value:?}").into());
        by_order.entry(row.order_id).or_default().push(OrderRefund {
            amount: Money::from_cents(row.amount),
            reason: RefundReason::parse(&row.reason).ok_or_else(|| unreadable(&row.reason))?,
            by: RefundedBy::parse(&row.made_by).ok_or_else(|| unreadable(&row.made_by))?,
            is_made: row.is_made,
            created_at: row.created_at,
        });
    }
    Ok(by_order)
}
