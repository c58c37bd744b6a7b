use sqlx::PgConnection;
use tiffin_events::{Unread, payment::PaymentEvent};

use crate::store::payments;

/// Keeps what was paid of checkouts, many in a few statements: what goes back was captured before.
pub async fn project(
    tx: &mut PgConnection,
    events: &[(&Unread, PaymentEvent)],
) -> sqlx::Result<()> {
    let mut captured = Vec::new();
    let mut refunded = Vec::new();
    for (_, event) in events {
        match event {
            PaymentEvent::Captured(payment) => captured.push(payment),
            PaymentEvent::Refunded(payment) => refunded.push(payment),
            PaymentEvent::Declined(_) => {}
        }
    }
    payments::keep(tx, &captured).await?;
    payments::give_back(tx, &refunded).await
}
