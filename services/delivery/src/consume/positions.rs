use std::collections::HashMap;

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{BatchHandler, Failure, Received};
use tiffin_events::{
    Coordinates, DeliveryId,
    position::{PositionEvent, PositionUpdatedV1},
};
use time::Duration;

use crate::store::positions;

/// The furthest that a device's clock may run ahead. A position from further ahead would keep all honest
/// ones out.
const AHEAD: Duration = Duration::minutes(1);

/// Stores the newest position of each delivery, a batch a statement.
pub struct PositionHandler;

impl BatchHandler for PositionHandler {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let newest = newest(events.iter().filter_map(position));
            positions::keep(tx, &newest.values().collect::<Vec<_>>()).await?;
            Ok(())
        })
    }
}

/// The position of a message; `None` where it holds none that can be true. One bad message does not stop
/// the others.
fn position(event: &Received) -> Option<PositionUpdatedV1> {
    let position = match event.decode::<PositionEvent>() {
        Ok(Some(PositionEvent::Updated(position))) => position,
        Ok(None) => return None,
        Err(error) => {
            tracing::warn!(%error, event = %event.envelope.id, "a position was dropped");
            return None;
        }
    };
    let on_earth = Coordinates::new(position.lat, position.lng).is_ok();
    (on_earth && position.at <= event.envelope.time + AHEAD).then_some(position)
}

/// The newest by the device's clock, of each delivery.
fn newest(
    positions: impl Iterator<Item = PositionUpdatedV1>,
) -> HashMap<DeliveryId, PositionUpdatedV1> {
    let mut newest: HashMap<DeliveryId, PositionUpdatedV1> = HashMap::new();
    for position in positions {
        let known = newest.get(&position.delivery_id);
        if known.is_none_or(|known| known.at < position.at) {
            newest.insert(position.delivery_id, position);
        }
    }
    newest
}

#[cfg(test)]
mod tests {
    use tiffin_events::UserId;
    use time::macros::datetime;
    use uuid::Uuid;

    use super::*;

    fn position(delivery: u128, second: i64) -> PositionUpdatedV1 {
        PositionUpdatedV1 {
            delivery_id: DeliveryId(Uuid::from_u128(delivery)),
            driver_id: UserId(Uuid::from_u128(7)),
            lat: 6.9271,
            lng: 79.8612,
            accuracy: None,
            heading: None,
            speed: None,
            at: datetime!(2026-11-21 12:00 UTC) + Duration::seconds(second),
        }
    }

    #[test]
    fn only_the_newest_of_each_delivery_is_stored_whatever_the_order() {
        let newest = newest(
            [
                position(1, 2),
                position(2, 9),
                position(1, 5),
                position(1, 3),
                position(2, 9),
            ]
            .into_iter(),
        );
        let mut kept = newest.values().cloned().collect::<Vec<_>>();
        kept.sort_by_key(|position| position.delivery_id);
        assert_eq!(kept, [position(1, 5), position(2, 9)]);
    }
}
