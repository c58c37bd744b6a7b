//! The tables `refunds` and `refund_parts`.

use sqlx::PgConnection;
use tiffin_chassis::Scope;
use tiffin_events::{
    CheckoutId, Money, OrderId, PaymentId, RefundId, RestaurantId, UserId,
    payment::{RefundReason, RefundedBy},
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::payments::DELAYED_AFTER;
use crate::{
    error::Error,
    refund::{Earlier, Refund, RefundState, RefundableOrder},
};

/// An order by its `_id` or `orderId`, if the caller may see it.
pub async fn find_order(
    tx: &mut PgConnection,
    scope: Scope,
    key: &str,
) -> sqlx::Result<Option<RefundableOrder>> {
    let row = sqlx::query!(
        "select id, code, checkout_id, customer_id, owner_id, restaurant_id, total, placed_at from orders
         where (id = $1 or code = $2)
           and ($3::uuid is null or customer_id = $3) and ($4::uuid is null or owner_id = $4)",
        key.parse::<Uuid>().ok(),
        key.to_ascii_uppercase(),
        scope.customer,
        scope.owner,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| RefundableOrder {
        id: OrderId(row.id),
        code: row.code,
        checkout: CheckoutId(row.checkout_id),
        customer: UserId(row.customer_id),
        owner: UserId(row.owner_id),
        restaurant: RestaurantId(row.restaurant_id),
        total: Money::from_cents(row.total),
        placed_at: row.placed_at,
    }))
}

/// Makes the owner's refunds of a restaurant wait for each other until the transaction ends: its limit of the day is
/// one for all its orders. The checkout is locked before.
pub async fn lock_restaurant(
    tx: &mut PgConnection,
    RestaurantId(id): RestaurantId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended($1, 0))",
        format!("refunds of {id}")
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The sums of earlier refunds: those of the order, and those of its restaurant's owner since a time.
pub async fn earlier(
    tx: &mut PgConnection,
    order: &RefundableOrder,
    since: OffsetDateTime,
) -> sqlx::Result<Earlier> {
    let row = sqlx::query!(
        r#"select (select coalesce(sum(amount), 0)::bigint from refunds where order_id = $1) as "of_order!",
                  (select coalesce(sum(amount), 0)::bigint from refunds
                   where order_id = $1 and made_by = 'restaurant') as "by_restaurant!",
                  (select coalesce(sum(amount), 0)::bigint from refunds
                   where restaurant_id = $2 and created_at > $3 and made_by = 'restaurant') as "of_day!""#,
        order.id.0,
        order.restaurant.0,
        since,
    )
    .fetch_one(tx)
    .await?;
    Ok(Earlier {
        order: Money::from_cents(row.of_order),
        order_by_restaurant: Money::from_cents(row.by_restaurant),
        day: Money::from_cents(row.of_day),
    })
}

/// Saves a refund with the payments that it is made from. The customer's data is kept from erasure.
pub async fn insert(
    tx: &mut PgConnection,
    refund: &Refund,
    order: &RefundableOrder,
    parts: &[(PaymentId, Money)],
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into refunds (id, order_id, checkout_id, customer_id, restaurant_id, amount, made_by, actor_id,
                              reason, note, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9,
                 case when not exists (select from people where id = $4 and deleted) then $10 end, $11)",
        refund.id.0,
        refund.order.0,
        order.checkout.0,
        order.customer.0,
        order.restaurant.0,
        refund.amount.cents(),
        refund.by.as_str(),
        refund.actor.0,
        refund.reason.as_str(),
        refund.note,
        refund.created_at,
    )
    .execute(&mut *tx)
    .await?;
    let payments: Vec<_> = parts.iter().map(|(payment, _)| payment.0).collect();
    let refunded: Vec<_> = parts.iter().map(|(_, then)| then.cents()).collect();
    sqlx::query!(
        "insert into refund_parts (refund_id, payment_id, refunded_then)
         select $1, payment_id, refunded_then from unnest($2::uuid[], $3::bigint[]) as n (payment_id, refunded_then)",
        refund.id.0,
        &payments,
        &refunded,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The refunds of an order with their states, oldest first.
pub async fn of_order(
    tx: &mut PgConnection,
    order: OrderId,
) -> Result<Vec<(Refund, RefundState)>, Error> {
    let rows = sqlx::query!(
        r#"select r.id, r.order_id, o.code, r.restaurant_id, o.owner_id, r.amount, r.made_by, r.actor_id, r.reason,
                  r.note, r.created_at,
                  exists (select from refund_parts t join payments p on p.id = t.payment_id
                          where t.refund_id = r.id and p.refunded < t.refunded_then) as "is_under_way!",
                  exists (select from refund_parts t join payments p on p.id = t.payment_id
                          where t.refund_id = r.id and p.refunded < t.refunded_then
                            and p.attempts >= $2) as "is_delayed!"
           from refunds r join orders o on o.id = r.order_id
           where r.order_id = $1 order by r.id"#,
        order.0,
        DELAYED_AFTER,
    )
    .fetch_all(tx)
    .await?;
    let refunds = rows.into_iter().map(|row| {
        let state = match (row.is_under_way, row.is_delayed) {
            (_, true) => RefundState::Delayed,
            (true, false) => RefundState::UnderWay,
            (false, false) => RefundState::Refunded,
        };
        let unreadable = |value: &str| Error::Unreadable(format!("refunds holds {value:?}"));
        let refund = Refund {
            id: RefundId(row.id),
            order: OrderId(row.order_id),
            order_code: row.code,
            restaurant: RestaurantId(row.restaurant_id),
            owner: UserId(row.owner_id),
            amount: Money::from_cents(row.amount),
            by: RefundedBy::parse(&row.made_by).ok_or_else(|| unreadable(&row.made_by))?,
            actor: UserId(row.actor_id),
            reason: RefundReason::parse(&row.reason).ok_or_else(|| unreadable(&row.reason))?,
            note: row.note,
            created_at: row.created_at,
        };
        Ok((refund, state))
    });
    refunds.collect()
}
