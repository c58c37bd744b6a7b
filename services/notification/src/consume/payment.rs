use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_events::payment::PaymentEvent;

use super::create::create_alone;
use crate::{State, drafts};

/// Creates the notifications of a payment's event. The service keeps nothing else of payments.
impl AggregateHandler<PaymentEvent> for State {
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, PaymentEvent>],
    ) -> Result<(), Failure> {
        Ok(create_alone(self, tx, events, drafts::of_payment).await?)
    }

    async fn project(
        &self,
        _tx: &mut PgConnection,
        _events: &[Decoded<'_, PaymentEvent>],
    ) -> Result<(), Failure> {
        Ok(())
    }
}
