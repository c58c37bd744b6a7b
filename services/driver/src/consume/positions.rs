use std::collections::HashMap;

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{BatchHandler, Failure, Received};
use tiffin_events::{
    UserId,
    position::{PositionEvent, PositionUpdatedV1},
};

use crate::store::positions;

/// Stores the newest position of each driver, a batch a statement.
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
            positions::save(tx, &newest.values().collect::<Vec<_>>()).await?;
            Ok(())
        })
    }
}

/// The position of a message; `None` if it holds no plausible one. One bad message does not stop the others.
fn position(event: &Received) -> Option<PositionUpdatedV1> {
    let Ok(Some(PositionEvent::Updated(position))) = event.decode::<PositionEvent>() else {
        return None;
    };
    position
        .is_plausible(event.envelope.time)
        .then_some(position)
}
