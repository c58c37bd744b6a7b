//! The drivers whom an order may be given to, with the orders that they have.

use sqlx::PgConnection;
use tiffin_events::{
    Coordinates, OrderId, Role, UserId, delivery::DeliveryStatus, driver::VehicleType,
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{deliveries, drivers, routes::place};

/// The largest number of drivers that are compared.
const MAX_DRIVERS: i64 = 500;
/// The largest number of orders that they have together.
const MAX_CARRIED: i64 = 4_000;

/// A driver who takes deliveries.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    pub id: UserId,
    pub first_name: String,
    pub vehicle: VehicleType,
    /// The last known place, if it is not too old.
    pub place: Option<Coordinates>,
}

/// An order that a driver has, or was picked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried {
    pub driver_id: UserId,
    pub order_id: OrderId,
    pub owner_id: UserId,
    pub restaurant_id: Uuid,
    pub status: DeliveryStatus,
    /// The time of the status.
    pub since: OffsetDateTime,
    pub promised_time: Option<OffsetDateTime>,
    pub address: String,
    pub restaurant: Option<Coordinates>,
    pub door: Option<Coordinates>,
}

/// The drivers who take deliveries and did not decline this order, without blocked and closed accounts. A place is
/// known if the device said it after `seen_since`.
pub async fn drivers(
    connection: &mut PgConnection,
    OrderId(order): OrderId,
    seen_since: OffsetDateTime,
) -> sqlx::Result<Vec<Candidate>> {
    let rows = sqlx::query!(
        r#"select d.id, p.first_name, d.vehicle_type, l.lat as "lat?", l.lng as "lng?"
           from drivers d
           join people p on p.id = d.id and p.role = $1 and not p.blocked and not p.deleted
           left join lateral (
               select n.lat, n.lng
               from (select t.lat, t.lng, t.position_at from deliveries t where t.driver_id = d.id
                     order by t.id desc limit 10) as n
               where n.position_at >= $2
               order by n.position_at desc limit 1
           ) as l on true
           where d.is_available
             and not exists (select from suggestions s where s.order_id = $3 and d.id = any (s.declined))
           order by d.id desc limit $4"#,
        Role::Delivery.as_str(),
        seen_since,
        order,
        MAX_DRIVERS,
    )
    .fetch_all(connection)
    .await?;
    let rows = rows.into_iter().map(|row| {
        Ok(Candidate {
            id: UserId(row.id),
            first_name: row.first_name,
            vehicle: drivers::vehicle(&row.vehicle_type)?,
            place: place(row.lat, row.lng),
        })
    });
    rows.collect()
}

/// The orders that drivers have under way, and those that they were picked for after `picked_since`: the oldest first,
/// without this order and without those that they declined.
pub async fn carried(
    connection: &mut PgConnection,
    drivers: &[Candidate],
    OrderId(order): OrderId,
    picked_since: OffsetDateTime,
) -> sqlx::Result<Vec<Carried>> {
    let drivers: Vec<Uuid> = drivers.iter().map(|driver| driver.id.0).collect();
    let rows = sqlx::query!(
        r#"select c.driver_id as "driver_id!", c.order_id as "order_id!", c.status as "status!", c.since as "since!",
                  c.promised_time, o.owner_id, o.restaurant_id, o.address, o.dest_lat, o.dest_lng,
                  r.lat as "restaurant_lat?", r.lng as "restaurant_lng?"
           from (
               select t.driver_id, t.order_id, t.status, t.status_at as since, t.promised_time
               from deliveries t left join suggestions s on s.order_id = t.order_id
               where t.driver_id = any ($1) and t.cancelled_at is null and t.status <> 'delivered'
                 and not (t.status = 'picked up' and coalesce(t.driver_id = any (s.declined), false))
               union all
               select s.picked_driver, s.order_id, 'picked up', s.picked_at, null
               from suggestions s
               where s.picked_driver = any ($1) and s.picked_at > $3
                 and not exists (select from deliveries t
                                 where t.order_id = s.order_id and t.driver_id = s.picked_driver)
           ) as c
           join orders o on o.id = c.order_id and not o.called_off
           left join restaurants r on r.id = o.restaurant_id
           where c.order_id <> $2
           order by c.order_id limit $4"#,
        &drivers,
        order,
        picked_since,
        MAX_CARRIED,
    )
    .fetch_all(connection)
    .await?;
    let rows = rows.into_iter().map(|row| {
        Ok(Carried {
            driver_id: UserId(row.driver_id),
            order_id: OrderId(row.order_id),
            owner_id: UserId(row.owner_id),
            restaurant_id: row.restaurant_id,
            status: deliveries::status(&row.status)?,
            since: row.since,
            promised_time: row.promised_time,
            address: row.address,
            restaurant: place(row.restaurant_lat, row.restaurant_lng),
            door: place(row.dest_lat, row.dest_lng),
        })
    });
    rows.collect()
}

/// The time at which an order was given to its driver, if it was.
pub async fn assigned_at(
    connection: &mut PgConnection,
    OrderId(order): OrderId,
) -> sqlx::Result<Option<OffsetDateTime>> {
    sqlx::query_scalar!(
        "select created_at from deliveries where order_id = $1",
        order
    )
    .fetch_optional(connection)
    .await
}
