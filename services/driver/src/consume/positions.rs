use std::collections::HashMap;

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{BatchHandler, Failure, Received};
use tiffin_events::{
    Coordinates, UserId,
    position::{PositionEvent, PositionUpdatedV1},
};
use time::Duration;

use crate::store::positions;

/// The furthest that a device's clock may run ahead. A position from further ahead would keep all honest
/// ones out.
const AHEAD: Duration = Duration::minutes(1);

/// Keeps where each driver was last, a batch a statement.
pub struct PositionHandler;

impl BatchHandler for PositionHandler {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let mut newest: HashMap<UserId, PositionUpdatedV1> = HashMap::new();
            for position in events.iter().filter_map(position) {
                let known = newest.get(&position.driver_id);
                if known.is_none_or(|known| known.at < position.at) {
                    newest.insert(position.driver_id, position);
                }
            }
            positions::keep(tx, &newest.values().collect::<Vec<_>>()).await?;
            Ok(())
        })
    }
}

/// The position of a message; `None` where it holds none that can be true. One bad message does not stop
/// the others.
fn position(event: &Received) -> Option<PositionUpdatedV1> {
    let Ok(Some(PositionEvent::Updated(position))) = event.decode::<PositionEvent>() else {
        return None;
    };
    let on_earth = Coordinates::new(position.lat, position.lng).is_ok();
    (on_earth && position.at <= event.envelope.time + AHEAD).then_some(position)
}
