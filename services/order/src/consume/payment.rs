use sqlx::PgConnection;
use tiffin_events::payment::PaymentEvent;

use crate::store::payments;

pub async fn learn(tx: &mut PgConnection, event: PaymentEvent) -> sqlx::Result<()> {
    match event {
        PaymentEvent::Captured(payment) => payments::keep(tx, &payment).await,
        PaymentEvent::Refunded(payment) => payments::remove(tx, payment.payment_id).await,
        PaymentEvent::Declined(_) => Ok(()),
    }
}
