//! Storage: payments, and read models of other services' aggregates.

pub mod accounts;
pub mod checkouts;
pub mod deliveries;
pub mod invoices;
pub mod orders;
pub mod payments;
pub mod personal;
pub mod refunds;
pub mod restaurants;

use sqlx::PgConnection;
use tiffin_bus::{Aggregate, Cause, Recorder, outbox};
use tiffin_events::{CheckoutId, PaymentId, UserId, payment::PaymentEvent};
use uuid::Uuid;

use crate::{checkout::Checkout, error::Error, payment::Payment};

/// The only way to change payments: lock the orders of their checkout, lock the payments, let `transition`
/// change the checkout and return events, save the changes, and append the events to the outbox. Returns the
/// changed checkout.
///
/// A transaction that locks a payment locks its checkout's orders first, in the order of their ids. That
/// prevents deadlocks.
pub async fn change(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    id: CheckoutId,
    transition: impl FnOnce(&mut Checkout) -> Vec<(PaymentId, PaymentEvent)>,
) -> Result<Checkout, Error> {
    let clock = &recorder.clock;
    let mut checkout = checkouts::lock(tx, id).await?;
    let before = checkout.payments().to_vec();
    let events = transition(&mut checkout);
    let mut outgoing = Vec::with_capacity(events.len());
    for was in &before {
        let Some(payment) = checkout.payment(was.id) else {
            continue;
        };
        let own = events.iter().filter(|(id, _)| *id == was.id);
        let own: Vec<_> = own.map(|(_, event)| event.clone()).collect();
        if own.is_empty() && payment == was {
            continue;
        }
        let mut payment = payment.clone();
        payment.sequence += i64::try_from(own.len()).unwrap_or(i64::MAX);
        payments::update(tx, &payment, clock.now()).await?;
        let rows = tiffin_bus::outgoing(tx, recorder, cause, Some(was), &payment, &own).await?;
        outgoing.extend(rows);
    }
    outbox::append(tx, &outgoing).await?;
    Ok(checkout)
}

/// Payments change by the checkout: one balance decides about all of them.
impl Aggregate for Payment {
    type Event = PaymentEvent;
    type Error = Error;

    fn id(&self) -> Uuid {
        self.id.0
    }

    fn version(&self) -> i64 {
        self.sequence
    }

    fn concerned(&self, event: &PaymentEvent) -> Vec<UserId> {
        self.concerned(event).collect()
    }

    fn order(&self) -> Option<Uuid> {
        Some(self.order.id.0)
    }
}
