//! What is kept: payments, the shares of checkouts, and read models of others' things.

pub mod invoices;
pub mod orders;
pub mod payments;
pub mod people;
pub mod restaurants;
pub mod shares;

use sqlx::PgConnection;
use tiffin_bus::{Cause, Outgoing, outbox};
use tiffin_events::{Clock, PaymentId, payment::PaymentEvent};

use crate::{
    error::Error,
    payment::{Payment, Status},
};

/// The one way to change a payment: hold the orders of its checkout, lock it, let `transition` change
/// it and say what happened, save it, and append its events to the outbox. `transition` is also told
/// whether the order was cancelled. Returns the payment as it is afterwards.
///
/// Whoever locks a payment holds its checkout's orders first, in the order of their ids, so that
/// nobody waits in a circle.
pub async fn change(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    id: PaymentId,
    transition: impl FnOnce(&mut Payment, bool) -> Vec<PaymentEvent>,
) -> Result<Payment, Error> {
    let order = payments::find(tx, id).await?.ok_or(Error::NotFound)?.order;
    let checkout = orders::hold_checkout(tx, order.checkout_id).await?;
    let mut payment = payments::lock(tx, id).await?.ok_or(Error::NotFound)?;
    let (before, version) = (payment.status, payment.version);
    let events = transition(&mut payment, checkout.is_cancelled(order.id));
    payment.version += i64::try_from(events.len()).unwrap_or(i64::MAX);
    payments::update(tx, &payment, clock.now()).await?;
    if payment.status != before && payment.status == Status::Declined {
        shares::free(tx, order.checkout_id).await?;
    }
    let cause = cause.clone().about(order.id.0);
    let mut outgoing = Vec::with_capacity(events.len());
    for (event, sequence) in events.iter().zip(version + 1..) {
        let row = Outgoing::event(clock, &cause, id.0, sequence, event)?;
        outgoing.push(row.tell(payment.concerned(event)));
    }
    outbox::append(tx, &outgoing).await?;
    Ok(payment)
}
