use sqlx::PgConnection;
use tiffin_events::{Unread, payment::PaymentEvent};

use crate::store::payments;

/// Keeps which orders are paid, many in two statements: what goes back was captured before.
pub async fn project(
    tx: &mut PgConnection,
    events: &[(&Unread, PaymentEvent)],
) -> sqlx::Result<()> {
    let mut captured = Vec::new();
    let mut refunded = Vec::new();
    for (_, event) in events {
        match event {
            PaymentEvent::Captured(payment) => captured.push(payment),
            PaymentEvent::Refunded(payment) => refunded.push(payment.payment_id.0),
            PaymentEvent::Declined(_) => {}
        }
    }
    payments::keep(tx, &captured).await?;
    payments::remove(tx, &refunded).await
}
