//! Deliveries whose arrival is to be forecast.

use sqlx::PgConnection;
use tiffin_events::{Coordinates, DeliveryId, RestaurantId, driver::VehicleType};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{deliveries, routes::place};
use crate::forecast::Shown;

/// The interval of forecasts while the driver shares the location.
const INTERVAL: Duration = Duration::seconds(20);
/// The interval without a fresh position: only the time passes.
const IDLE_INTERVAL: Duration = Duration::minutes(1);
/// The largest number of other doors that count.
const MAX_STOPS: i64 = 8;

/// A delivery with the facts that its arrival depends on: the first one of its ticket with this status.
#[derive(Clone, Debug, PartialEq)]
pub struct Due {
    pub id: DeliveryId,
    /// The ticket's other deliveries with this status, which arrive with it.
    pub others: Vec<DeliveryId>,
    /// True if one of them shows another range.
    pub differs: bool,
    pub shown: Shown,
    pub restaurant_id: RestaurantId,
    pub vehicle: Option<VehicleType>,
    pub driver: Option<Coordinates>,
    /// The time of the driver's position by the device's clock.
    pub seen_at: Option<OffsetDateTime>,
    pub restaurant: Option<Coordinates>,
    /// The time that the restaurant needs more because it was busy at the confirmation.
    pub busy: Duration,
    pub destination: Option<Coordinates>,
    /// The doors that the same driver goes to before, in their order.
    pub stops: Vec<Coordinates>,
}

struct DueRow {
    id: Uuid,
    status: String,
    status_at: OffsetDateTime,
    restaurant_id: Uuid,
    vehicle: Option<String>,
    lat: Option<f64>,
    lng: Option<f64>,
    position_at: Option<OffsetDateTime>,
    eta_earliest: Option<OffsetDateTime>,
    eta_latest: Option<OffsetDateTime>,
    eta_at: Option<OffsetDateTime>,
    restaurant_lat: Option<f64>,
    restaurant_lng: Option<f64>,
    busy_minutes: i32,
    dest_lat: Option<f64>,
    dest_lng: Option<f64>,
    others: Vec<Uuid>,
    differs: bool,
    stop_lats: Vec<f64>,
    stop_lngs: Vec<f64>,
}

/// Takes deliveries that are due, for this process alone, and sets when they are due again. Of each ticket it returns the
/// first one.
pub async fn take(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<Vec<Due>> {
    let rows = sqlx::query_as!(
        DueRow,
        r#"with due as (
               select d.id, coalesce(f.id, d.id) as first_id
               from (select id, order_id, driver_id, status from deliveries where eta_due_at <= $1
                     order by eta_due_at limit $2 for update skip locked) as d
               join orders o on o.id = d.order_id
               left join lateral (
                   select m.id from orders p join deliveries m on m.order_id = p.id
                   where p.checkout_id = o.checkout_id and p.restaurant_id = o.restaurant_id
                     and m.driver_id = d.driver_id and m.status = d.status and m.cancelled_at is null
                   order by m.id limit 1
               ) as f on true
           ), first as (
               -- One that another process has is forecast there.
               select id from deliveries where id in (select first_id from due) for update skip locked
           ), taken as (
               update deliveries t
               set eta_due_at = case when t.position_at > $3 then $4::timestamptz else $5::timestamptz end
               where t.id in (select id from due union select id from first)
               returning t.id, t.order_id, t.status, t.status_at, t.restaurant_id, t.driver_id, t.lat, t.lng,
                         t.position_at, t.vehicle, t.eta_earliest, t.eta_latest, t.eta_at
           )
           select t.id as "id!", t.status as "status!", t.status_at as "status_at!",
                  t.restaurant_id as "restaurant_id!", t.vehicle, t.lat, t.lng, t.position_at,
                  t.eta_earliest, t.eta_latest, t.eta_at,
                  r.lat as restaurant_lat, r.lng as restaurant_lng,
                  case when r.busy_until > t.status_at then r.busy_minutes else 0 end as "busy_minutes!", o.dest_lat, o.dest_lng,
                  coalesce(g.ids, '{}') as "others!", coalesce(g.differ, false) as "differs!",
                  coalesce(s.lats, '{}') as "stop_lats!", coalesce(s.lngs, '{}') as "stop_lngs!"
           from taken t
           join first on first.id = t.id
           join orders o on o.id = t.order_id
           left join restaurants r on r.id = t.restaurant_id
           left join lateral (
               select array_agg(m.id order by m.id) as ids,
                      bool_or((m.eta_earliest, m.eta_latest) is distinct from (t.eta_earliest, t.eta_latest)) as differ
               from orders p join deliveries m on m.order_id = p.id
               where p.checkout_id = o.checkout_id and p.restaurant_id = o.restaurant_id and m.id <> t.id
                 and m.driver_id = t.driver_id and m.status = t.status and m.cancelled_at is null
           ) as g on true
           left join lateral (
               select array_agg(b.dest_lat order by b.id) as lats, array_agg(b.dest_lng order by b.id) as lngs
               from (select d.id, p.dest_lat, p.dest_lng
                     from deliveries d join orders p on p.id = d.order_id
                     where d.driver_id = t.driver_id and d.id <> t.id and d.cancelled_at is null
                       and d.status = 'on the way' and (t.status = 'picked up' or d.id < t.id)
                       and p.dest_lat is not null and p.dest_lng is not null
                     order by d.id limit $6) as b
           ) as s on true"#,
        now,
        limit,
        now - IDLE_INTERVAL,
        now + INTERVAL,
        now + IDLE_INTERVAL,
        MAX_STOPS,
    )
    .fetch_all(tx)
    .await?;
    rows.into_iter().map(DueRow::into_due).collect()
}

impl DueRow {
    fn into_due(self) -> sqlx::Result<Due> {
        let stops = self.stop_lats.iter().zip(&self.stop_lngs);
        Ok(Due {
            id: DeliveryId(self.id),
            others: self.others.into_iter().map(DeliveryId).collect(),
            differs: self.differs,
            shown: Shown {
                eta: deliveries::eta(self.eta_earliest, self.eta_latest, self.eta_at),
                status: deliveries::status(&self.status)?,
                since: self.status_at,
            },
            restaurant_id: RestaurantId(self.restaurant_id),
            vehicle: self.vehicle.as_deref().and_then(VehicleType::parse),
            driver: place(self.lat, self.lng),
            seen_at: self.position_at,
            restaurant: place(self.restaurant_lat, self.restaurant_lng),
            busy: Duration::minutes(self.busy_minutes.into()),
            destination: place(self.dest_lat, self.dest_lng),
            stops: stops
                .filter_map(|(lat, lng)| place(Some(*lat), Some(*lng)))
                .collect(),
        })
    }
}
