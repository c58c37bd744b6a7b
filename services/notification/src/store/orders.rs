//! The read model of orders: their customers and owners.

use std::collections::{HashMap, HashSet};

use sqlx::PgConnection;
use tiffin_events::{OrderId, UserId, order::OrderRefV1};
use uuid::Uuid;

use crate::Error;

/// The owner, customer and code of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub id: OrderId,
    pub code: String,
    pub customer: UserId,
    pub owner: UserId,
}

/// An order by its id or its code, locked until the transaction ends, so that an event and a request don't
/// create its notifications at the same time.
pub async fn find(tx: &mut PgConnection, id_or_code: &str) -> Result<Option<Order>, Error> {
    let row = sqlx::query!(
        "select id, code, customer_id, owner_id from orders where id = $1 or code = $2 for update",
        id_or_code.parse::<Uuid>().ok(),
        id_or_code.to_ascii_uppercase(),
    );
    Ok(row.fetch_optional(tx).await?.map(|row| Order {
        id: OrderId(row.id),
        code: row.code,
        customer: UserId(row.customer_id),
        owner: UserId(row.owner_id),
    }))
}

/// Locks those of the orders that are known until the transaction ends, and returns those whose customers have
/// a notification of the confirmation.
pub async fn lock(
    tx: &mut PgConnection,
    ids: impl IntoIterator<Item = OrderId>,
) -> Result<HashSet<OrderId>, Error> {
    let ids: Vec<_> = ids.into_iter().map(|id| id.0).collect();
    let locked = sqlx::query!(
        "select id, confirmed from orders where id = any ($1) order by id for update",
        &ids
    );
    let locked = locked.fetch_all(tx).await?.into_iter();
    Ok(locked
        .filter(|order| order.confirmed)
        .map(|order| OrderId(order.id))
        .collect())
}

/// The checkouts and restaurants of orders. An order without them is left out.
pub async fn checkouts(
    tx: &mut PgConnection,
    ids: impl IntoIterator<Item = OrderId>,
) -> Result<HashMap<OrderId, (Uuid, Uuid)>, Error> {
    let ids: Vec<_> = ids.into_iter().map(|id| id.0).collect();
    let found = sqlx::query!(
        r#"select id, checkout_id as "checkout_id!", restaurant_id as "restaurant_id!" from orders
         where id = any ($1) and checkout_id is not null and restaurant_id is not null"#,
        &ids
    );
    let found = found.fetch_all(tx).await?.into_iter();
    Ok(found
        .map(|order| (OrderId(order.id), (order.checkout_id, order.restaurant_id)))
        .collect())
}

/// An order as its events describe it.
#[derive(Clone, Debug)]
pub struct KnownOrder<'a> {
    pub order: &'a OrderRefV1,
    pub item_name: &'a str,
    pub quantity: i32,
    /// The number of orders of its ticket; only its first event has it.
    pub ticket_orders: Option<i32>,
}

/// Saves the customers, owners and dishes of orders. What an earlier event did not say is learned from a later one.
pub async fn save(tx: &mut PgConnection, orders: &[KnownOrder<'_>]) -> Result<(), Error> {
    if orders.is_empty() {
        return Ok(());
    }
    let references = || orders.iter().map(|known| known.order);
    let ids: Vec<_> = references().map(|order| order.order_id.0).collect();
    let codes: Vec<_> = references().map(|order| order.order_code.clone()).collect();
    let customers: Vec<_> = references().map(|order| order.customer_id.0).collect();
    let owners: Vec<_> = references().map(|order| order.owner_id.0).collect();
    let checkouts: Vec<_> = references().map(|order| order.checkout_id.0).collect();
    let restaurants: Vec<_> = references().map(|order| order.restaurant_id.0).collect();
    let items = orders.iter().map(|known| known.item_name.to_owned());
    let items: Vec<_> = items.collect();
    let quantities: Vec<_> = orders.iter().map(|known| known.quantity).collect();
    let tickets: Vec<_> = orders.iter().map(|known| known.ticket_orders).collect();
    sqlx::query!(
        "insert into orders as o (id, code, customer_id, owner_id, checkout_id, restaurant_id, item_name, quantity,
                                  ticket_orders)
         select distinct on (id) *
         from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::int[],
                     $9::int[])
             as n (id, code, customer_id, owner_id, checkout_id, restaurant_id, item_name, quantity, ticket_orders)
         order by id, ticket_orders
         on conflict (id) do update
             set item_name = excluded.item_name, quantity = excluded.quantity,
                 ticket_orders = coalesce(o.ticket_orders, excluded.ticket_orders)
             where o.item_name is null or o.ticket_orders is null and excluded.ticket_orders is not null",
        &ids,
        &codes,
        &customers,
        &owners,
        &checkouts,
        &restaurants,
        &items,
        &quantities,
        &tickets as &[Option<i32>],
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Sets the confirmation of orders.
pub async fn set_confirmed(
    tx: &mut PgConnection,
    orders: &HashMap<OrderId, bool>,
) -> Result<(), Error> {
    if orders.is_empty() {
        return Ok(());
    }
    let (ids, confirmed): (Vec<_>, Vec<_>) = orders
        .iter()
        .map(|(id, is_confirmed)| (id.0, *is_confirmed))
        .unzip();
    sqlx::query!(
        "update orders o set confirmed = s.confirmed
         from unnest($1::uuid[], $2::bool[]) as s (id, confirmed)
         where o.id = s.id and o.confirmed <> s.confirmed",
        &ids,
        &confirmed,
    )
    .execute(tx)
    .await?;
    Ok(())
}
