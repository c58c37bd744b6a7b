use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_events::delivery::DeliveryEvent;

use super::create::create;
use crate::{State, drafts, store::orders};

/// Creates the notifications of a delivery's event. The service keeps nothing else of deliveries.
impl AggregateHandler<DeliveryEvent> for State {
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, DeliveryEvent>],
    ) -> Result<(), Failure> {
        let by_event: Vec<_> = events
            .iter()
            .map(|(received, event)| (*received, drafts::of_delivery(event)))
            .collect();
        let drafts = by_event.iter().flat_map(|(_, drafts)| drafts);
        orders::lock(tx, drafts.map(|draft| draft.order_id)).await?;
        create(tx, &self.clock, by_event).await?;
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
