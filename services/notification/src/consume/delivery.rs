use sqlx::PgConnection;
use tiffin_bus::{Decoded, Failure, Handle};
use tiffin_events::delivery::DeliveryEvent;

use super::create::create;
use crate::{State, drafts};

/// Creates the notifications of a delivery's event. The service keeps nothing else of deliveries.
impl Handle<DeliveryEvent> for State {
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, DeliveryEvent>],
    ) -> Result<(), Failure> {
        for (received, event) in events {
            create(tx, &self.clock, received, drafts::of_delivery(event)).await?;
        }
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
