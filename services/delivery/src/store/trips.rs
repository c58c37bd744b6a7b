//! The read model of trips: deliveries as forecasts learn from them, and the ranges that were shown.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::PgConnection;
use tiffin_events::DeliveryId;
use time::OffsetDateTime;
use uuid::Uuid;

/// A delivery from the assignment of its driver to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Trip {
    pub delivery_id: Uuid,
    pub restaurant_id: Uuid,
    pub owner_id: Uuid,
    pub driver_id: Uuid,
    /// The time of the order.
    pub ordered_at: Option<OffsetDateTime>,
    pub assigned_at: OffsetDateTime,
    pub set_out_at: Option<OffsetDateTime>,
    /// Seconds of the ride with the food by the router, as it was when the driver set out.
    pub ride_seconds: Option<f64>,
    pub delivered_at: Option<OffsetDateTime>,
}

/// A range that was shown.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownRange {
    pub delivery_id: Uuid,
    pub shown_at: OffsetDateTime,
    pub earliest: OffsetDateTime,
    pub latest: OffsetDateTime,
    pub expected_at: OffsetDateTime,
}

/// The known trips among these.
pub async fn find(
    tx: &mut PgConnection,
    ids: &BTreeSet<DeliveryId>,
) -> sqlx::Result<BTreeMap<DeliveryId, Trip>> {
    let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
    let trips = sqlx::query_as!(
        Trip,
        "select delivery_id, restaurant_id, owner_id, driver_id, ordered_at, assigned_at, set_out_at, ride_seconds,
                delivered_at
         from trips where delivery_id = any ($1)",
        &ids
    )
    .fetch_all(tx)
    .await?;
    Ok(trips
        .into_iter()
        .map(|trip| (DeliveryId(trip.delivery_id), trip))
        .collect())
}

/// Saves trips.
pub async fn save(tx: &mut PgConnection, trips: &[&Trip]) -> sqlx::Result<()> {
    if trips.is_empty() {
        return Ok(());
    }
    let ids: Vec<_> = trips.iter().map(|trip| trip.delivery_id).collect();
    let restaurants: Vec<_> = trips.iter().map(|trip| trip.restaurant_id).collect();
    let owners: Vec<_> = trips.iter().map(|trip| trip.owner_id).collect();
    let drivers: Vec<_> = trips.iter().map(|trip| trip.driver_id).collect();
    let ordered: Vec<_> = trips.iter().map(|trip| trip.ordered_at).collect();
    let assigned: Vec<_> = trips.iter().map(|trip| trip.assigned_at).collect();
    let set_out: Vec<_> = trips.iter().map(|trip| trip.set_out_at).collect();
    let rides: Vec<_> = trips.iter().map(|trip| trip.ride_seconds).collect();
    let delivered: Vec<_> = trips.iter().map(|trip| trip.delivered_at).collect();
    sqlx::query!(
        "insert into trips
            (delivery_id, restaurant_id, owner_id, driver_id, ordered_at, assigned_at, set_out_at, ride_seconds,
             delivered_at)
         select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::timestamptz[],
                              $7::timestamptz[], $8::float8[], $9::timestamptz[])
         on conflict (delivery_id) do update
         set driver_id = excluded.driver_id, assigned_at = excluded.assigned_at, set_out_at = excluded.set_out_at,
             ride_seconds = excluded.ride_seconds, delivered_at = excluded.delivered_at",
        &ids,
        &restaurants,
        &owners,
        &drivers,
        &ordered as &[Option<OffsetDateTime>],
        &assigned,
        &set_out as &[Option<OffsetDateTime>],
        &rides as &[Option<f64>],
        &delivered as &[Option<OffsetDateTime>],
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Saves ranges that were shown.
pub async fn save_ranges(tx: &mut PgConnection, ranges: &[ShownRange]) -> sqlx::Result<()> {
    if ranges.is_empty() {
        return Ok(());
    }
    let ids: Vec<_> = ranges.iter().map(|range| range.delivery_id).collect();
    let shown: Vec<_> = ranges.iter().map(|range| range.shown_at).collect();
    let earliest: Vec<_> = ranges.iter().map(|range| range.earliest).collect();
    let latest: Vec<_> = ranges.iter().map(|range| range.latest).collect();
    let expected: Vec<_> = ranges.iter().map(|range| range.expected_at).collect();
    sqlx::query!(
        "insert into shown_ranges (delivery_id, shown_at, earliest, latest, expected_at)
         select * from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[],
                              $5::timestamptz[])
         on conflict (delivery_id, shown_at) do nothing",
        &ids,
        &shown,
        &earliest,
        &latest,
        &expected,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Removes trips of cancelled deliveries, with their ranges.
pub async fn remove(tx: &mut PgConnection, ids: &[Uuid]) -> sqlx::Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    sqlx::query!("delete from shown_ranges where delivery_id = any ($1)", ids)
        .execute(&mut *tx)
        .await?;
    sqlx::query!("delete from trips where delivery_id = any ($1)", ids)
        .execute(tx)
        .await?;
    Ok(())
}
