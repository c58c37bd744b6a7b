//! The table `items`.

use sqlx::PgConnection;
use tiffin_bus::{Aggregate, Cause, Recorder, StoredAggregate};
use tiffin_events::{
    ItemCode, ItemId, Money, RestaurantId, UserId,
    item::{Category, ItemEvent},
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    error::{Error, Refusal},
    item::{Dish, Item},
    review::Rating,
};

/// The attempts to find a free code for a new dish. With 2^40 codes even a second one is rare.
const MAX_CODE_ATTEMPTS: usize = 5;

impl Aggregate for Item {
    type Event = ItemEvent;
    type Error = Error;

    fn id(&self) -> Uuid {
        self.id.0
    }

    fn version(&self) -> i64 {
        self.sequence
    }

    fn concerned(&self, _event: &ItemEvent) -> Vec<UserId> {
        vec![self.owner_id]
    }
}

impl StoredAggregate for Item {
    type Key = ItemId;
    type Refusal = Refusal;

    fn version_mut(&mut self) -> &mut i64 {
        &mut self.sequence
    }

    async fn lock(tx: &mut PgConnection, id: ItemId) -> Result<Self, Error> {
        Ok(lock(tx, id).await?.ok_or(Refusal::NoItem)?)
    }

    async fn save(&self, tx: &mut PgConnection, _before: &Self) -> Result<(), Error> {
        Ok(update(tx, self).await?)
    }
}

/// Inserts a dish with its event. `make` is called with another id if the code of the first is taken.
pub async fn add(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    make: impl Fn(ItemId) -> Item,
) -> Result<Item, Error> {
    let clock = &recorder.clock;
    for _ in 0..MAX_CODE_ATTEMPTS {
        let item = make(ItemId(clock.new_id()));
        if insert(tx, &item).await? {
            tiffin_bus::record(tx, recorder, cause, None, &item, &[item.added()]).await?;
            return Ok(item);
        }
    }
    Err(sqlx::Error::Protocol(format!("no free item code in {MAX_CODE_ATTEMPTS} attempts")).into())
}

/// One dish by its id or code, unless it is deleted, for any reader.
pub async fn find(tx: &mut PgConnection, key: &str) -> sqlx::Result<Option<Item>> {
    let (id, code) = (key.parse::<Uuid>().ok(), ItemCode::parse(key));
    let row = sqlx::query_as!(
        ItemRow,
        "select i.id, i.code, i.restaurant_id, r.owner_id, i.name, i.price, i.category, i.description, i.images,
                i.available, i.approved, i.rating_sum, i.rating_count, i.created_at, i.deleted_at, i.version
         from items i join restaurants r on r.id = i.restaurant_id
         where (i.id = $1 or i.code = $2) and i.deleted_at is null and r.deleted_at is null",
        id,
        code.as_ref().map(ItemCode::as_str),
    )
    .fetch_optional(tx)
    .await?;
    row.map(ItemRow::into_item).transpose()
}

async fn lock(tx: &mut PgConnection, ItemId(id): ItemId) -> sqlx::Result<Option<Item>> {
    let row = sqlx::query_as!(
        ItemRow,
        "select i.id, i.code, i.restaurant_id, r.owner_id, i.name, i.price, i.category, i.description, i.images,
                i.available, i.approved, i.rating_sum, i.rating_count, i.created_at, i.deleted_at, i.version
         from items i join restaurants r on r.id = i.restaurant_id
         where i.id = $1 and r.deleted_at is null
         for update of i",
        id,
    )
    .fetch_optional(tx)
    .await?;
    row.map(ItemRow::into_item).transpose()
}

/// True if the dish's code was free.
async fn insert(tx: &mut PgConnection, item: &Item) -> sqlx::Result<bool> {
    let dish = &item.dish;
    let inserted = sqlx::query!(
        "insert into items
            (id, code, restaurant_id, name, price, category, description, images, available, approved, created_at,
             version)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         on conflict on constraint items_code_key do nothing",
        item.id.0,
        item.code.as_str(),
        item.restaurant_id.0,
        dish.name,
        dish.price.cents(),
        dish.category.as_str(),
        dish.description,
        &dish.images,
        dish.available,
        item.approved,
        item.created_at,
        item.sequence,
    )
    .execute(tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

async fn update(tx: &mut PgConnection, item: &Item) -> sqlx::Result<()> {
    let dish = &item.dish;
    sqlx::query!(
        "update items
         set name = $2, price = $3, category = $4, description = $5, images = $6, available = $7, approved = $8,
             deleted_at = $9, version = $10
         where id = $1",
        item.id.0,
        dish.name,
        dish.price.cents(),
        dish.category.as_str(),
        dish.description,
        &dish.images,
        dish.available,
        item.approved,
        item.deleted_at,
        item.sequence,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// A row as it is stored, with its restaurant's owner.
struct ItemRow {
    id: Uuid,
    code: String,
    restaurant_id: Uuid,
    owner_id: Uuid,
    name: String,
    price: i64,
    category: String,
    description: String,
    images: Vec<String>,
    available: bool,
    approved: bool,
    rating_sum: i64,
    rating_count: i64,
    created_at: OffsetDateTime,
    deleted_at: Option<OffsetDateTime>,
    version: i64,
}

impl ItemRow {
    fn into_item(self) -> sqlx::Result<Item> {
        Ok(Item {
            id: ItemId(self.id),
            code: ItemCode::parse(&self.code).ok_or_else(|| unreadable("code", &self.code))?,
            restaurant_id: RestaurantId(self.restaurant_id),
            owner_id: UserId(self.owner_id),
            dish: Dish {
                name: self.name,
                price: Money::from_cents(self.price),
                category: category(&self.category)?,
                description: self.description,
                images: self.images,
                available: self.available,
            },
            approved: self.approved,
            rating: Rating {
                sum: self.rating_sum,
                count: self.rating_count,
            },
            created_at: self.created_at,
            deleted_at: self.deleted_at,
            sequence: self.version,
        })
    }
}

/// A category as it is stored.
pub fn category(text: &str) -> sqlx::Result<Category> {
    Category::parse(text).ok_or_else(|| unreadable("category", text))
}

fn unreadable(column: &str, value: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("items.{column} holds {value:?}").into())
}
