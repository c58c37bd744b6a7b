//! Checkouts: the orders of a cart, placed in one statement.

use sqlx::PgConnection;
use tiffin_bus::{Cause, Recorder, outbox::Columns};
use tiffin_chassis::idempotency::Answer;
use tiffin_events::UserId;

use super::orders::OrderRow;
use crate::{error::Error, order::Order};

#[cfg(test)]
mod tests;

/// A customer's checkouts so far. The next one succeeds if there was no other meanwhile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checkouts {
    pub number: i64,
    /// At least the customer's pending orders that are not paid.
    pub unpaid: i64,
}

/// A checkout that may be placed.
pub struct Placement<'a> {
    pub customer: UserId,
    /// The state that it follows.
    pub checkouts: Checkouts,
    pub orders: &'a [Order],
    /// The name under which the answer is kept.
    pub operation: &'a str,
    pub answer: &'a Answer,
}

/// The number of a customer's pending orders that are not paid.
pub async fn count_unpaid(db: &mut PgConnection, UserId(customer): UserId) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from orders o
           where o.customer_id = $1 and o.status = 'pending' and o.deleted_at is null
             and not exists (select from payments p where p.order_id = o.id)
             and not exists (select from refunds r where r.order_id = o.id)"#,
        customer,
    )
    .fetch_one(db)
    .await
}

/// Stores the orders, their outbox rows and the answer, all in one statement and so all or none. Returns false if
/// another checkout of the customer came first, the key has an answer, an order's code is taken, or the account is
/// closed.
pub async fn place(
    db: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    placement: Placement<'_>,
) -> Result<bool, Error> {
    let Placement {
        customer,
        checkouts,
        orders,
        operation,
        answer,
    } = placement;
    let mut outgoing = Vec::with_capacity(orders.len() * 2);
    for order in orders {
        let ticket = orders
            .iter()
            .filter(|other| other.restaurant_id == order.restaurant_id);
        let placed = [order.placed(ticket.count())];
        outgoing.extend(tiffin_bus::outgoing(db, recorder, cause, None, order, &placed).await?);
    }
    let outgoing = Columns::of(&outgoing);
    let unpaid = checkouts.unpaid + i64::try_from(orders.len()).unwrap_or(i64::MAX);
    let orders = serde_json::to_value(orders.iter().map(OrderRow::of).collect::<Vec<_>>())?;
    let placed = sqlx::query_scalar!(
        r#"with turn as (
               insert into checkouts as c (customer_id, number, unpaid) values ($1, 1, $3)
               on conflict on constraint checkouts_pkey do update
               set number = c.number + 1, unpaid = excluded.unpaid where c.number = $2 and not c.closed
               returning 1
           ), first as (
               select case when $5::text is null then true else http.keep_answer($1, $4, $5, $6, $7, $8) end as is_first
               from turn
           ), placed as (
               insert into orders
                  (id, code, checkout_id, customer_id, restaurant_id, owner_id, item_id, item_name, image, note,
                   quantity, price, total, address, dest_lat, dest_lng, status, approved, created_at, answer_by,
                   reminders, due_at, version)
               select r.*
               from first, jsonb_to_recordset($9) as r
                  (id uuid, code text, checkout_id uuid, customer_id uuid, restaurant_id uuid, owner_id uuid,
                   item_id uuid, item_name text, image text, note text, quantity integer, price bigint,
                   total bigint, address text, dest_lat double precision, dest_lng double precision, status text,
                   approved boolean, created_at timestamptz, answer_by timestamptz, reminders integer,
                   due_at timestamptz, version bigint)
               where first.is_first
           )
           select bus.append($10, $11, $12, $13, $14, $15, $16) as "rows!" from first where is_first"#,
        customer.0,
        checkouts.number,
        unpaid,
        operation,
        answer.key.as_deref(),
        &answer.body_hash,
        answer.status,
        answer.answer,
        orders,
        &outgoing.event_ids,
        &outgoing.subjects,
        &outgoing.aggregates,
        &outgoing.bodies,
        &outgoing.audiences,
        &outgoing.times,
        &outgoing.keep as &[Option<i32>],
    )
    .fetch_optional(db)
    .await;
    match placed {
        Ok(placed) => Ok(placed.is_some()),
        Err(sqlx::Error::Database(error)) if error.constraint() == Some("orders_code_key") => {
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

/// Waits for a checkout of a closed account that is being placed, and lets no later one be placed.
pub async fn close(db: &mut PgConnection, UserId(customer): UserId) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into checkouts (customer_id, number, unpaid, closed) values ($1, 0, 0, true)
         on conflict on constraint checkouts_pkey do update set closed = true",
        customer,
    )
    .execute(db)
    .await?;
    Ok(())
}
