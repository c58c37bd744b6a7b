use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_events::item::ItemEvent;

use crate::{State, store::items};

impl AggregateHandler<ItemEvent> for State {
    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, ItemEvent>],
    ) -> Result<(), Failure> {
        for (_, event) in events {
            match event {
                ItemEvent::Added(item) | ItemEvent::Updated(item) => {
                    items::save_item(tx, item).await
                }
                ItemEvent::Approved(item) => items::approve_item(tx, item.item_id).await,
                ItemEvent::Deleted(item) => items::remove_item(tx, item.item_id).await,
            }?;
        }
        Ok(())
    }
}
