//! Read models of dishes and restaurants.

use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_events::{
    ItemId, Money, RestaurantId, UserId, item::ItemProfileV1, restaurant::RestaurantProfileV1,
};
use uuid::Uuid;

use crate::cart::Dish;

/// Those of the dishes that customers may see: approved, and neither they nor their restaurant gone.
pub async fn dishes(tx: &mut PgConnection, keys: &[Uuid]) -> sqlx::Result<HashMap<Uuid, Dish>> {
    let (dishes, _) = dishes_and_unpaid(tx, keys, None).await?;
    Ok(dishes)
}

/// The same, and the number of a customer's pending orders that are not paid.
pub async fn dishes_and_unpaid(
    tx: &mut PgConnection,
    keys: &[Uuid],
    customer: Option<UserId>,
) -> sqlx::Result<(HashMap<Uuid, Dish>, i64)> {
    let rows = sqlx::query!(
        r#"with unpaid as (
               select count(*) as count from orders o
               where o.customer_id = $2 and o.status = 'pending' and o.deleted_at is null
                 and not exists (select from payments p where p.order_id = o.id)
           )
           select i.id, i.name, i.price, i.image, i.available, i.restaurant_id,
                  r.name as restaurant_name, r.is_open, r.owner_id, unpaid.count as "unpaid!"
           from items i join restaurants r on r.id = i.restaurant_id cross join unpaid
           where i.id = any($1) and i.approved and not i.deleted and not r.deleted"#,
        keys,
        customer.map(|UserId(id)| id),
    )
    .fetch_all(tx)
    .await?;
    let unpaid = rows.first().map_or(0, |row| row.unpaid);
    let dishes = rows.into_iter().map(|row| {
        let dish = Dish {
            id: ItemId(row.id),
            name: row.name,
            price: Money::from_cents(row.price),
            image: row.image,
            available: row.available,
            restaurant_id: RestaurantId(row.restaurant_id),
            restaurant_name: row.restaurant_name,
            is_open: row.is_open,
            owner_id: UserId(row.owner_id),
        };
        (row.id, dish)
    });
    Ok((dishes.collect(), unpaid))
}

pub async fn keep_item(tx: &mut PgConnection, item: &ItemProfileV1) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into items (id, restaurant_id, name, price, image, available, approved)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (id) do update
         set restaurant_id = excluded.restaurant_id, name = excluded.name, price = excluded.price,
             image = excluded.image, available = excluded.available, approved = excluded.approved",
        item.item_id.0,
        item.restaurant_id.0,
        item.name,
        item.price.cents(),
        item.images.first(),
        item.available,
        item.approved,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn approve_item(tx: &mut PgConnection, ItemId(id): ItemId) -> sqlx::Result<()> {
    sqlx::query!("update items set approved = true where id = $1", id)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn remove_item(tx: &mut PgConnection, ItemId(id): ItemId) -> sqlx::Result<()> {
    sqlx::query!("update items set deleted = true where id = $1", id)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn keep_restaurant(
    tx: &mut PgConnection,
    restaurant: &RestaurantProfileV1,
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into restaurants (id, owner_id, name, is_open)
         values ($1, $2, $3, $4)
         on conflict (id) do update
         set owner_id = excluded.owner_id, name = excluded.name, is_open = excluded.is_open",
        restaurant.restaurant_id.0,
        restaurant.owner_id.0,
        restaurant.name,
        restaurant.is_open,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The owner of a restaurant, also of a deleted one.
pub async fn owner(
    tx: &mut PgConnection,
    RestaurantId(id): RestaurantId,
) -> sqlx::Result<Option<UserId>> {
    let owner = sqlx::query_scalar!("select owner_id from restaurants where id = $1", id)
        .fetch_optional(tx)
        .await?;
    Ok(owner.map(UserId))
}

pub async fn set_open(
    tx: &mut PgConnection,
    RestaurantId(id): RestaurantId,
    is_open: bool,
) -> sqlx::Result<()> {
    sqlx::query!(
        "update restaurants set is_open = $2 where id = $1",
        id,
        is_open
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn remove_restaurant(
    tx: &mut PgConnection,
    RestaurantId(id): RestaurantId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "update restaurants set deleted = true, is_open = false where id = $1",
        id
    )
    .execute(tx)
    .await?;
    Ok(())
}
