use sqlx::PgConnection;
use tiffin_events::item::ItemEvent;

use crate::store::items;

pub async fn handle(tx: &mut PgConnection, event: ItemEvent) -> sqlx::Result<()> {
    match event {
        ItemEvent::Added(item) | ItemEvent::Updated(item) => items::keep_item(tx, &item).await,
        ItemEvent::Approved(item) => items::approve_item(tx, item.item_id).await,
        ItemEvent::Deleted(item) => items::remove_item(tx, item.item_id).await,
    }
}
