//! Storage: payments, and read models of other services' aggregates.

pub mod checkouts;
pub mod deliveries;
pub mod invoices;
pub mod orders;
pub mod payments;
pub mod people;
pub mod restaurants;

use sqlx::PgConnection;
use tiffin_bus::{Cause, Outgoing, outbox};
use tiffin_events::{CheckoutId, Clock, PaymentId, payment::PaymentEvent};

use crate::{checkout::Checkout, error::Error};

/// The only way to change payments: lock the orders of their checkout, lock the payments, let `transition`
/// change the checkout and return events, save the changes, and append the events to the outbox. Returns the
/// changed checkout.
///
/// A transaction that locks a payment locks its checkout's orders first, in the order of their ids. That
/// prevents deadlocks.
pub async fn change(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    id: CheckoutId,
    transition: impl FnOnce(&mut Checkout) -> Vec<(PaymentId, PaymentEvent)>,
) -> Result<Checkout, Error> {
    let mut checkout = checkouts::hold(tx, id).await?;
    let before = checkout.payments().to_vec();
    let events = transition(&mut checkout);
    let mut outgoing = Vec::with_capacity(events.len());
    for was in &before {
        let Some(payment) = checkout.payment(was.id) else {
            continue;
        };
        let own = events.iter().filter(|(id, _)| *id == was.id);
        let cause = cause.clone().about(payment.order.id.0);
        let mut version = was.version;
        for (_, event) in own {
            version += 1;
            let row = Outgoing::event(clock, &cause, was.id.0, version, event)?;
            outgoing.push(row.tell(payment.concerned(event)));
        }
        if payment != was || version != was.version {
            payments::update(tx, payment, version, clock.now()).await?;
        }
    }
    outbox::append(tx, &outgoing).await?;
    Ok(checkout)
}
