//! Read models of dishes and restaurants.

use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_chassis::TimeZone;
use tiffin_events::{
    Coordinates, ItemId, Money, RestaurantId, UserId, item::ItemProfileV1,
    restaurant::RestaurantProfileV1,
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    accounts::{Customer, DeliveryAddress},
    checkouts::Checkouts,
};
use crate::cart::Dish;

/// The rows that a cart is ordered from.
pub struct CheckoutData {
    /// Those of the dishes that customers may see: approved, and neither they nor their restaurant gone.
    pub dishes: HashMap<Uuid, Dish>,
    pub customer: Customer,
    /// True if the customer's account is closed.
    pub is_closed: bool,
    /// `None` before the customer's first one.
    pub checkouts: Option<Checkouts>,
}

/// Those of the dishes that customers may see.
pub async fn dishes(
    tx: &mut PgConnection,
    keys: &[Uuid],
    now: OffsetDateTime,
    time_zone: &TimeZone,
) -> sqlx::Result<HashMap<Uuid, Dish>> {
    Ok(checkout_data(tx, keys, None, now, time_zone).await?.dishes)
}

/// Reads dishes, and their customer if there is one.
pub async fn checkout_data(
    tx: &mut PgConnection,
    keys: &[Uuid],
    customer: Option<UserId>,
    now: OffsetDateTime,
    time_zone: &TimeZone,
) -> sqlx::Result<CheckoutData> {
    let rows = sqlx::query!(
        r#"with dish as (
               select i.id, i.name, i.price, i.image, i.available, i.restaurant_id,
                      r.name as restaurant_name, r.is_open, r.owner_id, r.answer_minutes,
                      case when r.paused_until > $3
                           then to_char(r.paused_until at time zone $4, 'HH24:MI') end as paused_until
               from items i join restaurants r on r.id = i.restaurant_id
               where i.id = any($1) and i.approved and not i.deleted and not r.deleted
           )
           select t.number as "number?", t.unpaid as "unpaid?", coalesce(t.closed, false) as "is_closed!",
                  coalesce(c.email, '') as "email!", c.address as "address?", c.lat, c.lng,
                  nullif(trim(c.first_name || ' ' || c.last_name), '') as customer_name,
                  nullif(c.phone, '') as phone,
                  d.id as "id?", d.name as "name?", d.price as "price?", d.image as "image?",
                  d.available as "available?", d.restaurant_id as "restaurant_id?",
                  d.restaurant_name as "restaurant_name?", d.is_open as "is_open?", d.owner_id as "owner_id?",
                  d.answer_minutes as "answer_minutes?", d.paused_until as "paused_until?"
           from (values ($2::uuid)) as caller (id)
           left join checkouts t on t.customer_id = caller.id
           left join people c on c.id = caller.id
           left join dish d on true"#,
        keys,
        customer.map(|UserId(id)| id),
        now,
        time_zone.name(),
    )
    .fetch_all(tx)
    .await?;
    let mut data = CheckoutData {
        dishes: HashMap::with_capacity(rows.len()),
        customer: Customer::default(),
        is_closed: false,
        checkouts: None,
    };
    for row in rows {
        data.checkouts = row
            .number
            .zip(row.unpaid)
            .map(|(number, unpaid)| Checkouts { number, unpaid });
        data.is_closed = row.is_closed;
        let place = row.lat.zip(row.lng);
        data.customer = Customer {
            email: row.email,
            name: row.customer_name,
            phone: row.phone,
            default_address: row
                .address
                .filter(|address| !address.is_empty())
                .map(|address| DeliveryAddress {
                    address,
                    place: place.map(|(lat, lng)| Coordinates { lat, lng }),
                }),
        };
        let (Some(id), Some(name), Some(price), Some(available)) =
            (row.id, row.name, row.price, row.available)
        else {
            continue;
        };
        let (Some(restaurant_id), Some(restaurant_name), Some(is_open), Some(owner_id)) = (
            row.restaurant_id,
            row.restaurant_name,
            row.is_open,
            row.owner_id,
        ) else {
            continue;
        };
        let dish = Dish {
            id: ItemId(id),
            name,
            price: Money::from_cents(price),
            image: row.image,
            available,
            restaurant_id: RestaurantId(restaurant_id),
            restaurant_name,
            is_open,
            owner_id: UserId(owner_id),
            answer_minutes: row.answer_minutes,
            paused_until: row.paused_until,
        };
        data.dishes.insert(id, dish);
    }
    Ok(data)
}

pub async fn save_item(tx: &mut PgConnection, item: &ItemProfileV1) -> sqlx::Result<()> {
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

pub async fn save_restaurant(
    tx: &mut PgConnection,
    restaurant: &RestaurantProfileV1,
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into restaurants (id, owner_id, name, is_open, answer_minutes)
         values ($1, $2, $3, $4, $5)
         on conflict (id) do update
         set owner_id = excluded.owner_id, name = excluded.name, is_open = excluded.is_open,
             answer_minutes = excluded.answer_minutes",
        restaurant.restaurant_id.0,
        restaurant.owner_id.0,
        restaurant.name,
        restaurant.is_open,
        restaurant.answer_minutes,
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
        "update restaurants set is_open = $2, paused_until = null where id = $1",
        id,
        is_open
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn pause(
    tx: &mut PgConnection,
    RestaurantId(id): RestaurantId,
    until: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "update restaurants set paused_until = $2 where id = $1",
        id,
        until
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
