//! The places that a delivery's route leads to.

use sqlx::PgConnection;
use tiffin_events::{Coordinates, DeliveryId, delivery::DeliveryStatus, driver::VehicleType};

use super::deliveries;

/// The places of a delivery, as far as they are known.
#[derive(Clone, Debug, PartialEq)]
pub struct Places {
    pub status: DeliveryStatus,
    pub vehicle: Option<VehicleType>,
    pub driver: Option<Coordinates>,
    pub restaurant: Option<Coordinates>,
    pub destination: Option<Coordinates>,
}

/// The places of one delivery. The driver's counts until it is delivered.
pub async fn places(
    connection: &mut PgConnection,
    DeliveryId(id): DeliveryId,
) -> sqlx::Result<Places> {
    let row = sqlx::query!(
        r#"select t.status, t.vehicle,
                  case when t.status <> 'delivered' then t.lat end as lat,
                  case when t.status <> 'delivered' then t.lng end as lng,
                  r.lat as "restaurant_lat?", r.lng as "restaurant_lng?", o.dest_lat, o.dest_lng
           from deliveries t
           join orders o on o.id = t.order_id
           left join restaurants r on r.id = t.restaurant_id
           where t.id = $1"#,
        id,
    )
    .fetch_one(connection)
    .await?;
    Ok(Places {
        status: deliveries::status(&row.status)?,
        vehicle: row.vehicle.as_deref().and_then(VehicleType::parse),
        driver: place(row.lat, row.lng),
        restaurant: place(row.restaurant_lat, row.restaurant_lng),
        destination: place(row.dest_lat, row.dest_lng),
    })
}

/// A stored place; 0,0 is unknown.
pub fn place(lat: Option<f64>, lng: Option<f64>) -> Option<Coordinates> {
    let (lat, lng) = lat.zip(lng)?;
    Some(Coordinates { lat, lng }).filter(|place| place.is_known())
}
