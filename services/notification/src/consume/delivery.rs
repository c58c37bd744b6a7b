use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_events::delivery::DeliveryEvent;

use super::create::create_alone;
use crate::{State, drafts};

/// Creates the notifications of a delivery's event. The service keeps nothing else of deliveries.
impl AggregateHandler<DeliveryEvent> for State {
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, DeliveryEvent>],
    ) -> Result<(), Failure> {
        Ok(create_alone(self, tx, events, drafts::of_delivery).await?)
    }

    async fn project(
        &self,
        _tx: &mut PgConnection,
        _events: &[Decoded<'_, DeliveryEvent>],
    ) -> Result<(), Failure> {
        Ok(())
    }
}
