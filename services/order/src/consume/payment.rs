use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_events::payment::PaymentEvent;

use crate::{
    State,
    store::{payments, refunds},
};

impl AggregateHandler<PaymentEvent> for State {
    /// Saves many captures and refunds in a few statements. A refund follows its capture, and lowers the price
    /// of its order before the money is back.
    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, PaymentEvent>],
    ) -> Result<(), Failure> {
        let mut captured = Vec::new();
        let mut refunded = Vec::new();
        let mut issued = Vec::new();
        for (received, event) in events {
            match event {
                PaymentEvent::Captured(payment) => captured.push(payment),
                PaymentEvent::Refunded(payment) => refunded.push(payment),
                PaymentEvent::RefundIssued(refund) => issued.push((refund, received.envelope.time)),
                PaymentEvent::Declined(_) | PaymentEvent::Disputed(_) => {}
            }
        }
        payments::save(tx, &captured).await?;
        refunds::save(tx, &issued).await?;
        Ok(payments::apply_refunds(tx, &refunded).await?)
    }
}
