//! Drivers as clients get them: with their account joined in at the time of reading.

use sqlx::PgConnection;
use tiffin_events::{Coordinates, Role};
use time::OffsetDateTime;
use uuid::Uuid;

use super::drivers;
use crate::{coarse_location, view::DriverView};

/// A selection of drivers. A `None` does not narrow it.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    pub only: Option<Uuid>,
    pub available: Option<bool>,
    /// Only those with a smaller id: earlier ones.
    pub before: Option<Uuid>,
    pub limit: i64,
    /// True if the reader sees all fields, and distances to a hundred metres; otherwise first name, vehicle
    /// and a coarse distance.
    pub all_fields: bool,
    /// The place to measure distances from, and the oldest time of a driver's position.
    pub near: Option<(Coordinates, OffsetDateTime)>,
}

/// Drivers whose accounts are not gone, newest first.
pub async fn list(tx: &mut PgConnection, filter: Filter) -> sqlx::Result<Vec<DriverView>> {
    let since = filter.near.map(|(_, since)| since);
    let rows = sqlx::query!(
        r#"select d.id, d.vehicle_type, case when $4 then d.dr_nic else '' end as "dr_nic!", d.is_available,
                  coalesce(p.first_name, n.first_name, '') as "first_name!",
                  case when $4 then coalesce(p.last_name, n.last_name, '') else '' end as "last_name!",
                  case when $4 then coalesce(p.email, n.email, '') else '' end as "email!",
                  case when $4 then coalesce(p.address, n.address) end as address,
                  case when $4 then coalesce(p.phone, n.phone) end as phone,
                  case when not $4 then null when p.id is null then n.image else p.image end as image,
                  l.lat as "lat?", l.lng as "lng?"
           from drivers d
           left join people p on p.id = d.id
           left join newcomers n on n.id = d.id
           left join positions l on l.driver_id = d.id and l.at >= $6
           where not coalesce(p.deleted, false)
             and ($1::uuid is null or d.id < $1)
             and ($3::uuid is null or d.id = $3)
             and ($5::bool is null or d.is_available = $5)
           order by d.id desc limit $2"#,
        filter.before,
        filter.limit,
        filter.only,
        filter.all_fields,
        filter.available,
        since,
    )
    .fetch_all(tx)
    .await?;
    let drivers = rows.into_iter().map(|row| {
        let seen = row.lat.zip(row.lng);
        let seen = seen.map(|(lat, lng)| Coordinates { lat, lng });
        Ok(DriverView {
            key: row.id,
            id: row.id,
            email: row.email,
            first_name: row.first_name,
            last_name: row.last_name,
            address: row.address,
            phone: row.phone,
            image: row.image,
            vehicle_type: drivers::vehicle_type(&row.vehicle_type)?,
            dr_nic: row.dr_nic,
            is_available: row.is_available,
            role: Role::Delivery,
            distance: seen.zip(filter.near).map(|(seen, (from, _))| {
                if filter.all_fields {
                    round_to_hundred(from.metres_to(seen))
                } else {
                    coarse_location::distance(from, seen)
                }
            }),
        })
    });
    drivers.collect()
}

/// Metres, rounded to a hundred.
#[expect(
    clippy::cast_possible_truncation,
    reason = "no way on the earth is longer than 20,038 km"
)]
fn round_to_hundred(metres: f64) -> i64 {
    (metres / 100.0).round() as i64 * 100
}
