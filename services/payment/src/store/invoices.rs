//! The content of an invoice, read from several tables.

use sqlx::PgConnection;
use tiffin_chassis::Scope;
use tiffin_events::{CheckoutId, Money, OrderId};
use uuid::Uuid;

use super::{checkouts, refunds};
use crate::{
    error::Error,
    invoice::Invoice,
    payment::{Refusal, Status},
};

/// The invoice of an order by its `_id` or `orderId`, if the caller may see it.
pub async fn find(tx: &mut PgConnection, scope: Scope, key: &str) -> Result<Invoice, Error> {
    let row = sqlx::query!(
        r#"select o.id, o.checkout_id, o.code, o.item_name, o.quantity, o.price, o.total, o.address, o.placed_at, o.cancelled,
                  nullif(p.name, '') as customer_name, nullif(p.email, '') as customer_email,
                  r.name as "restaurant_name?", r.address as "restaurant_address?", r.phone as "restaurant_phone?"
           from orders o
           left join people p on p.id = o.customer_id
           left join restaurants r on r.id = o.restaurant_id
           where (o.id = $1 or o.code = $2)
             and ($3::uuid is null or o.customer_id = $3)
             and ($4::uuid is null or o.owner_id = $4)"#,
        key.parse::<Uuid>().ok(),
        key.to_ascii_uppercase(),
        scope.customer,
        scope.owner,
    )
    .fetch_optional(&mut *tx)
    .await?
    .ok_or(Refusal::NotFound)?;
    let checkout = checkouts::read(tx, CheckoutId(row.checkout_id)).await?;
    let order = OrderId(row.id);
    let refunds = refunds::of_order(tx, order).await?;
    let own = checkout.payments().iter();
    let own = own.filter(|it| it.order.id == order && it.status != Status::Declined);
    Ok(Invoice {
        code: row.code,
        placed_at: row.placed_at,
        cancelled: row.cancelled,
        customer: [row.customer_name, row.customer_email, Some(row.address)]
            .into_iter()
            .flatten()
            .collect(),
        restaurant: [
            row.restaurant_name,
            row.restaurant_address,
            row.restaurant_phone,
        ]
        .into_iter()
        .flatten()
        .collect(),
        item_name: row.item_name,
        quantity: row.quantity,
        price: Money::from_cents(row.price),
        total: Money::from_cents(row.total),
        is_paid: checkout.is_paid(order),
        // A restaurant's owner must not learn about orders at other restaurants.
        due: scope.owner.is_none().then(|| checkout.due()),
        payments: own.cloned().collect(),
        refunds,
    })
}
