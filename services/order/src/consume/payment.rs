use sqlx::PgConnection;
use tiffin_bus::{Decoded, Failure, Handle};
use tiffin_events::payment::PaymentEvent;

use crate::{State, store::payments};

impl Handle<PaymentEvent> for State {
    /// Keeps what was paid of checkouts, many in a few statements: what goes back was captured before.
    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, PaymentEvent>],
    ) -> Result<(), Failure> {
        let mut captured = Vec::new();
        let mut refunded = Vec::new();
        for (_, event) in events {
            match event {
                PaymentEvent::Captured(payment) => captured.push(payment),
                PaymentEvent::Refunded(payment) => refunded.push(payment),
                PaymentEvent::Declined(_) => {}
            }
        }
        payments::save(tx, &captured).await?;
        Ok(payments::give_back(tx, &refunded).await?)
    }
}
