//! The table `deliveries`.

use sqlx::PgConnection;
use tiffin_chassis::Scope;
use tiffin_events::{
    DeliveryId, OrderId, RestaurantId, UserId, delivery::DeliveryStatus, driver::VehicleType,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    delivery::Delivery,
    forecast::{Eta, Range},
};

struct DeliveryRow {
    id: Uuid,
    order_id: Uuid,
    order_code: String,
    customer_id: Uuid,
    owner_id: Uuid,
    restaurant_id: Uuid,
    driver_id: Uuid,
    vehicle: Option<String>,
    status: String,
    estimated_time: OffsetDateTime,
    created_at: OffsetDateTime,
    status_at: OffsetDateTime,
    eta_earliest: Option<OffsetDateTime>,
    eta_latest: Option<OffsetDateTime>,
    eta_at: Option<OffsetDateTime>,
    promised_time: Option<OffsetDateTime>,
    cancelled_at: Option<OffsetDateTime>,
    version: i64,
}

/// Deletes the last places of a driver whose account is closed.
pub async fn forget_places(tx: &mut PgConnection, UserId(driver): UserId) -> sqlx::Result<()> {
    sqlx::query!(
        "update deliveries set lat = null, lng = null, position_at = null
         where driver_id = $1 and position_at is not null",
        driver,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The delivery that a path names by its own `_id`, or by its order's `_id` or `orderId`, if the
/// caller may see it.
pub async fn find(
    tx: &mut PgConnection,
    scope: Scope,
    key: &str,
) -> sqlx::Result<Option<DeliveryId>> {
    let id = sqlx::query_scalar!(
        "select id from deliveries
         where (id = $1 or order_id = $1 or order_code = $2) and cancelled_at is null
           and ($3::uuid is null or customer_id = $3)
           and ($4::uuid is null or owner_id = $4)
           and ($5::uuid is null or driver_id = $5)",
        key.parse::<Uuid>().ok(),
        key.to_ascii_uppercase(),
        scope.customer,
        scope.owner,
        scope.driver,
    )
    .fetch_optional(tx)
    .await?;
    Ok(id.map(DeliveryId))
}

/// The delivery of an order, cancelled or not.
pub async fn of_order(
    tx: &mut PgConnection,
    OrderId(id): OrderId,
) -> sqlx::Result<Option<DeliveryId>> {
    let id = sqlx::query_scalar!("select id from deliveries where order_id = $1", id)
        .fetch_optional(tx)
        .await?;
    Ok(id.map(DeliveryId))
}

/// One delivery, locked until the transaction ends, if the caller may still see it: another driver may
/// have been given it since it was found.
pub async fn lock(
    tx: &mut PgConnection,
    scope: Scope,
    DeliveryId(id): DeliveryId,
) -> sqlx::Result<Option<Delivery>> {
    let row = sqlx::query_as!(
        DeliveryRow,
        "select id, order_id, order_code, customer_id, owner_id, restaurant_id, driver_id, vehicle, status,
                estimated_time, created_at, status_at, eta_earliest, eta_latest, eta_at, promised_time,
                cancelled_at, version
         from deliveries
         where id = $1
           and ($2::uuid is null or customer_id = $2)
           and ($3::uuid is null or owner_id = $3)
           and ($4::uuid is null or driver_id = $4)
         for update",
        id,
        scope.customer,
        scope.owner,
        scope.driver,
    )
    .fetch_optional(tx)
    .await?;
    row.map(DeliveryRow::into_delivery).transpose()
}

/// Inserts a new delivery; `false` where its order has one already.
pub async fn insert(tx: &mut PgConnection, delivery: &Delivery) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "insert into deliveries
            (id, order_id, order_code, customer_id, owner_id, restaurant_id, driver_id, status, estimated_time,
             created_at, status_at, eta_due_at, version, vehicle)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $10, $11, $12)
         on conflict on constraint deliveries_order_id_key do nothing",
        delivery.id.0,
        delivery.order_id.0,
        delivery.order_code,
        delivery.customer_id.0,
        delivery.owner_id.0,
        delivery.restaurant_id.0,
        delivery.driver_id.0,
        delivery.status.as_str(),
        delivery.estimated_time,
        delivery.created_at,
        delivery.sequence,
        delivery.vehicle.map(VehicleType::as_str),
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Saves what transitions change; the rest of a delivery never does. Another driver has another position.
pub async fn update(tx: &mut PgConnection, delivery: &Delivery) -> sqlx::Result<()> {
    sqlx::query!(
        "update deliveries
         set driver_id = $2, status = $3, estimated_time = $4, cancelled_at = $5, version = $6,
             status_at = $7, eta_earliest = $8, eta_latest = $9, eta_at = $10, vehicle = $11,
             promised_time = $12,
             eta_due_at = case when $5::timestamptz is null and $3 <> 'delivered' then
                              case when status_at = $7 then eta_due_at else $7 end
                          end,
             lat = case when driver_id = $2 then lat end,
             lng = case when driver_id = $2 then lng end,
             position_at = case when driver_id = $2 then position_at end
         where id = $1",
        delivery.id.0,
        delivery.driver_id.0,
        delivery.status.as_str(),
        delivery.estimated_time,
        delivery.cancelled_at,
        delivery.sequence,
        delivery.status_at,
        delivery.eta.map(|eta| eta.range.earliest),
        delivery.eta.map(|eta| eta.range.latest),
        delivery.eta.map(|eta| eta.at),
        delivery.vehicle.map(VehicleType::as_str),
        delivery.promised_time,
    )
    .execute(tx)
    .await?;
    Ok(())
}

impl DeliveryRow {
    fn into_delivery(self) -> sqlx::Result<Delivery> {
        Ok(Delivery {
            id: DeliveryId(self.id),
            order_id: OrderId(self.order_id),
            order_code: self.order_code,
            customer_id: UserId(self.customer_id),
            owner_id: UserId(self.owner_id),
            restaurant_id: RestaurantId(self.restaurant_id),
            driver_id: UserId(self.driver_id),
            vehicle: self.vehicle.as_deref().and_then(VehicleType::parse),
            status: status(&self.status)?,
            estimated_time: self.estimated_time,
            created_at: self.created_at,
            status_at: self.status_at,
            eta: eta(self.eta_earliest, self.eta_latest, self.eta_at),
            promised_time: self.promised_time,
            cancelled_at: self.cancelled_at,
            sequence: self.version,
        })
    }
}

/// Reads a stored status.
pub fn status(text: &str) -> sqlx::Result<DeliveryStatus> {
    DeliveryStatus::parse(text)
        .ok_or_else(|| sqlx::Error::Decode(format!("deliveries.status holds {text:?}").into()))
}

/// Reads a stored arrival.
pub fn eta(
    earliest: Option<OffsetDateTime>,
    latest: Option<OffsetDateTime>,
    at: Option<OffsetDateTime>,
) -> Option<Eta> {
    let range = Range {
        earliest: earliest?,
        latest: latest?,
    };
    Some(Eta { range, at: at? })
}
