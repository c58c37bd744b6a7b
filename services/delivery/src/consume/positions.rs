use std::collections::HashMap;

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{BatchHandler, Failure, Received};
use tiffin_events::{
    DeliveryId,
    position::{PositionEvent, PositionUpdatedV1},
};

use crate::store::positions;

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
            positions::save(tx, &newest.values().collect::<Vec<_>>()).await?;
            Ok(())
        })
    }
}

/// The position of a message; `None` if it holds no plausible one. One bad message does not stop the others.
fn position(event: &Received) -> Option<PositionUpdatedV1> {
    let position = match event.decode::<PositionEvent>() {
        Ok(Some(PositionEvent::Updated(position))) => position,
        Ok(None) => return None,
        Err(error) => {
            tracing::warn!(%error, event = %event.envelope.id, "a position was dropped");
            return None;
        }
    };
    position
        .is_plausible(event.envelope.time)
        .then_some(position)
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
    use time::{Duration, macros::datetime};
    use uuid::Uuid;

    use super::*;

    fn at(delivery: u128, second: i64) -> PositionUpdatedV1 {
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
        let newest = newest([at(1, 2), at(2, 9), at(1, 5), at(1, 3), at(2, 9)].into_iter());
        let mut kept = newest.values().cloned().collect::<Vec<_>>();
        kept.sort_by_key(|position| position.delivery_id);
        assert_eq!(kept, [at(1, 5), at(2, 9)]);
    }
}
