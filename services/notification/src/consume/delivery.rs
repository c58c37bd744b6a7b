use sqlx::PgConnection;
use tiffin_bus::{Decoded, Failure, Handle};
use tiffin_events::delivery::DeliveryEvent;

use super::create::create;
use crate::{State, drafts, store::orders};

/// Creates the notifications of a delivery's event. The service keeps nothing else of deliveries.
impl Handle<DeliveryEvent> for State {
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, DeliveryEvent>],
    ) -> Result<(), Failure> {
        let mut news = Vec::new();
        for (received, event) in events {
            news.extend(
                drafts::of_delivery(event)
                    .into_iter()
                    .map(|draft| (*received, draft)),
            );
        }
        orders::hold(tx, news.iter().map(|(_, draft)| draft.order_id)).await?;
        create(tx, &self.clock, news).await?;
        self.wake();
        Ok(())
    }

    async fn project(
        &self,
        _tx: &mut PgConnection,
        _events: &[Decoded<'_, DeliveryEvent>],
    ) -> Result<(), Failure> {
        Ok(())
    }
}
