//! The read model of orders.

use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_chassis::Scope;
use tiffin_events::{CheckoutId, Coordinates, Money, OrderId, RestaurantId, UserId};
use uuid::Uuid;

use crate::delivery::Order;

/// The order that a request names by `_id` or `orderId`, if the caller may see it; locked, so that it
/// is not cancelled meanwhile.
pub async fn find(tx: &mut PgConnection, scope: Scope, key: &str) -> sqlx::Result<Option<Order>> {
    let row = sqlx::query!(
        "select id, code, checkout_id, customer_id, owner_id, restaurant_id, item_name, image, quantity, price, total,
                address, dest_lat, dest_lng, called_off
         from orders
         where (id = $1 or code = $2)
           and ($3::uuid is null or customer_id = $3)
           and ($4::uuid is null or owner_id = $4)
         for update",
        key.parse::<Uuid>().ok(),
        key.to_ascii_uppercase(),
        scope.customer,
        scope.owner,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| Order {
        id: OrderId(row.id),
        code: row.code,
        checkout_id: row.checkout_id.map(CheckoutId),
        customer_id: UserId(row.customer_id),
        owner_id: UserId(row.owner_id),
        restaurant_id: RestaurantId(row.restaurant_id),
        item_name: row.item_name,
        image: row.image,
        quantity: row.quantity,
        price: Money::from_cents(row.price),
        total: Money::from_cents(row.total),
        address: row.address,
        destination: row
            .dest_lat
            .zip(row.dest_lng)
            .map(|(lat, lng)| Coordinates { lat, lng }),
        is_cancelled: row.called_off,
    }))
}

/// Deletes a closed account's addresses.
pub async fn forget_address(tx: &mut PgConnection, UserId(customer): UserId) -> sqlx::Result<()> {
    sqlx::query!(
        "update orders set address = '', dest_lat = null, dest_lng = null
         where customer_id = $1 and (address <> '' or dest_lat is not null)",
        customer,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Saves orders, without the address of a closed account. None of their data ever changes; the checkout of an older order
/// is learned from its next event.
pub async fn save(tx: &mut PgConnection, orders: &[Order]) -> sqlx::Result<()> {
    if orders.is_empty() {
        return Ok(());
    }
    let ids: Vec<_> = orders.iter().map(|order| order.id.0).collect();
    let codes: Vec<_> = orders.iter().map(|order| order.code.clone()).collect();
    let checkouts = orders.iter().map(|order| order.checkout_id.map(|id| id.0));
    let checkouts: Vec<_> = checkouts.collect();
    let customers: Vec<_> = orders.iter().map(|order| order.customer_id.0).collect();
    tiffin_database::keep_from_erasure(tx, &customers).await?;
    let owners: Vec<_> = orders.iter().map(|order| order.owner_id.0).collect();
    let restaurants: Vec<_> = orders.iter().map(|order| order.restaurant_id.0).collect();
    let items: Vec<_> = orders.iter().map(|order| order.item_name.clone()).collect();
    let images: Vec<_> = orders.iter().map(|order| order.image.clone()).collect();
    let quantities: Vec<_> = orders.iter().map(|order| order.quantity).collect();
    let prices: Vec<_> = orders.iter().map(|order| order.price.cents()).collect();
    let totals: Vec<_> = orders.iter().map(|order| order.total.cents()).collect();
    let addresses: Vec<_> = orders.iter().map(|order| order.address.clone()).collect();
    let places = || orders.iter().map(|order| order.destination);
    let lats: Vec<_> = places().map(|place| place.map(|place| place.lat)).collect();
    let lngs: Vec<_> = places().map(|place| place.map(|place| place.lng)).collect();
    sqlx::query!(
        "insert into orders
            (id, code, customer_id, owner_id, restaurant_id, item_name, image, quantity, price, total,
             address, dest_lat, dest_lng, checkout_id)
         select distinct on (n.id)
                n.id, code, customer_id, owner_id, restaurant_id, item_name, image, quantity, price, total,
                case when p.deleted then '' else address end,
                case when not coalesce(p.deleted, false) then dest_lat end,
                case when not coalesce(p.deleted, false) then dest_lng end, checkout_id
         from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[],
                     $8::int[], $9::bigint[], $10::bigint[], $11::text[], $12::float8[], $13::float8[], $14::uuid[])
             as n (id, code, customer_id, owner_id, restaurant_id, item_name, image, quantity, price, total,
                   address, dest_lat, dest_lng, checkout_id)
         left join people p on p.id = n.customer_id
         order by n.id, checkout_id
         on conflict (id) do update set checkout_id = excluded.checkout_id where orders.checkout_id is null",
        &ids,
        &codes,
        &customers,
        &owners,
        &restaurants,
        &items,
        &images as &[Option<String>],
        &quantities,
        &prices,
        &totals,
        &addresses,
        &lats as &[Option<f64>],
        &lngs as &[Option<f64>],
        &checkouts as &[Option<Uuid>],
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Sets the cancellation of orders.
pub async fn set_cancelled(
    tx: &mut PgConnection,
    orders: &HashMap<OrderId, bool>,
) -> sqlx::Result<()> {
    if orders.is_empty() {
        return Ok(());
    }
    let (ids, cancelled): (Vec<_>, Vec<_>) = orders
        .iter()
        .map(|(order, is_cancelled)| (order.0, *is_cancelled))
        .unzip();
    sqlx::query!(
        "update orders o set called_off = said.off
         from unnest($1::uuid[], $2::boolean[]) as said (id, off) where said.id = o.id",
        &ids,
        &cancelled,
    )
    .execute(tx)
    .await?;
    Ok(())
}
