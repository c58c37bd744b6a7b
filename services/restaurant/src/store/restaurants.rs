//! The table `restaurants`.

use sqlx::PgConnection;
use tiffin_bus::{Aggregate, Cause, Recorder, StoredAggregate};
use tiffin_events::{Coordinates, RestaurantId, UserId, restaurant::RestaurantEvent};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    error::{Error, Refusal},
    restaurant::{Busy, Details, Restaurant},
};

impl Aggregate for Restaurant {
    type Event = RestaurantEvent;
    type Error = Error;

    fn id(&self) -> Uuid {
        self.id.0
    }

    fn version(&self) -> i64 {
        self.sequence
    }

    fn concerned(&self, _event: &RestaurantEvent) -> Vec<UserId> {
        vec![self.owner_id]
    }
}

impl StoredAggregate for Restaurant {
    type Key = RestaurantId;
    type Refusal = Refusal;

    fn version_mut(&mut self) -> &mut i64 {
        &mut self.sequence
    }

    async fn lock(tx: &mut PgConnection, id: RestaurantId) -> Result<Self, Error> {
        Ok(lock(tx, id).await?.ok_or(Refusal::NoRestaurant)?)
    }

    async fn save(&self, tx: &mut PgConnection, _before: &Self) -> Result<(), Error> {
        Ok(update(tx, self).await?)
    }
}

/// Inserts a restaurant with its event.
pub async fn create(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    restaurant: &Restaurant,
) -> Result<(), Error> {
    insert(tx, restaurant).await?;
    tiffin_bus::record(
        tx,
        recorder,
        cause,
        None,
        restaurant,
        &[restaurant.created()],
    )
    .await
}

/// An owner's restaurants, without deleted ones.
pub async fn owned_by(
    tx: &mut PgConnection,
    UserId(owner): UserId,
) -> sqlx::Result<Vec<RestaurantId>> {
    let ids = sqlx::query_scalar!(
        "select id from restaurants where owner_id = $1 and deleted_at is null order by id",
        owner
    );
    Ok(ids
        .fetch_all(tx)
        .await?
        .into_iter()
        .map(RestaurantId)
        .collect())
}

/// Deletes the phone of an owner whose account is closed, also from deleted restaurants.
pub async fn forget_phones(tx: &mut PgConnection, UserId(owner): UserId) -> sqlx::Result<()> {
    sqlx::query!(
        "update restaurants set phone = '' where owner_id = $1 and phone <> ''",
        owner
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// One restaurant, locked until the transaction ends.
pub async fn lock(
    tx: &mut PgConnection,
    RestaurantId(id): RestaurantId,
) -> sqlx::Result<Option<Restaurant>> {
    let row = sqlx::query_as!(
        RestaurantRow,
        "select id, owner_id, name, address, phone, description, images, is_open, closed_by_block, verified, lat, lng,
                answer_minutes, paused_until, busy_minutes, busy_until, created_at, deleted_at, version
         from restaurants where id = $1 for update",
        id,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(Restaurant::from))
}

async fn insert(tx: &mut PgConnection, restaurant: &Restaurant) -> sqlx::Result<()> {
    let details = &restaurant.details;
    sqlx::query!(
        "insert into restaurants
            (id, owner_id, name, address, phone, description, images, is_open, verified, lat, lng, created_at, version,
             answer_minutes)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        restaurant.id.0,
        restaurant.owner_id.0,
        details.name,
        details.address,
        details.phone,
        details.description,
        &details.images,
        restaurant.is_open,
        restaurant.verified,
        details.place.map(|place| place.lat),
        details.place.map(|place| place.lng),
        restaurant.created_at,
        restaurant.sequence,
        details.answer_minutes,
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn update(tx: &mut PgConnection, restaurant: &Restaurant) -> sqlx::Result<()> {
    let details = &restaurant.details;
    sqlx::query!(
        "update restaurants
         set name = $2, address = $3, phone = $4, description = $5, images = $6, is_open = $7, verified = $8,
             lat = $9, lng = $10, deleted_at = $11, version = $12, closed_by_block = $13, answer_minutes = $14,
             paused_until = $15, busy_minutes = $16, busy_until = $17
         where id = $1",
        restaurant.id.0,
        details.name,
        details.address,
        details.phone,
        details.description,
        &details.images,
        restaurant.is_open,
        restaurant.verified,
        details.place.map(|place| place.lat),
        details.place.map(|place| place.lng),
        restaurant.deleted_at,
        restaurant.sequence,
        restaurant.closed_by_block,
        details.answer_minutes,
        restaurant.paused_until,
        restaurant.busy.map(|busy| busy.minutes),
        restaurant.busy.map(|busy| busy.until),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// A row as it is stored.
struct RestaurantRow {
    id: Uuid,
    owner_id: Uuid,
    name: String,
    address: String,
    phone: String,
    description: String,
    images: Vec<String>,
    is_open: bool,
    closed_by_block: bool,
    verified: bool,
    lat: Option<f64>,
    lng: Option<f64>,
    answer_minutes: Option<i32>,
    paused_until: Option<OffsetDateTime>,
    busy_minutes: Option<i32>,
    busy_until: Option<OffsetDateTime>,
    created_at: OffsetDateTime,
    deleted_at: Option<OffsetDateTime>,
    version: i64,
}

impl From<RestaurantRow> for Restaurant {
    fn from(row: RestaurantRow) -> Self {
        Self {
            id: RestaurantId(row.id),
            owner_id: UserId(row.owner_id),
            details: Details {
                name: row.name,
                address: row.address,
                phone: row.phone,
                description: row.description,
                images: row.images,
                place: row
                    .lat
                    .zip(row.lng)
                    .map(|(lat, lng)| Coordinates { lat, lng }),
                answer_minutes: row.answer_minutes,
            },
            is_open: row.is_open,
            paused_until: row.paused_until,
            busy: row
                .busy_minutes
                .zip(row.busy_until)
                .map(|(minutes, until)| Busy { minutes, until }),
            closed_by_block: row.closed_by_block,
            verified: row.verified,
            created_at: row.created_at,
            deleted_at: row.deleted_at,
            sequence: row.version,
        }
    }
}
