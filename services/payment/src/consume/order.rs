use sqlx::PgConnection;
use tiffin_bus::Cause;
use tiffin_events::{
    Clock, Unread,
    order::{OrderEvent, OrderRefV1},
};

use crate::{
    error::Error,
    payment::Status,
    store::{self, checkouts, orders},
};

/// Keeps an order, and where it is off, calls back the money that its checkout does not need any more.
/// Returns whether there is now something to give back.
pub async fn learn(
    tx: &mut PgConnection,
    clock: &Clock,
    envelope: &Unread,
    event: OrderEvent,
) -> Result<bool, Error> {
    let called_off = called_off(&event).cloned();
    if let Some(order) = &called_off {
        checkouts::hold(tx, order.checkout_id).await?;
    }
    project(tx, &[(envelope, event)]).await?;
    match called_off {
        Some(order) => call_off(tx, clock, &Cause::event(envelope), &order).await,
        None => Ok(false),
    }
}

/// Keeps what orders' events say, many in two statements: whatever is called off was placed before.
pub async fn project(tx: &mut PgConnection, events: &[(&Unread, OrderEvent)]) -> sqlx::Result<()> {
    let mut placed = Vec::new();
    let mut cancelled = Vec::new();
    for (envelope, event) in events {
        if let OrderEvent::Placed(order) = event {
            placed.push((order, envelope.time));
        }
        cancelled.extend(called_off(event).map(|order| order.order_id.0));
    }
    orders::keep(tx, &placed).await?;
    orders::cancel(tx, &cancelled).await
}

/// The order that an event says is not to be paid any more. Nobody brings what is off the lists either.
fn called_off(event: &OrderEvent) -> Option<&OrderRefV1> {
    match event {
        OrderEvent::Cancelled(order) | OrderEvent::Deleted(order) => Some(order),
        OrderEvent::Placed(_)
        | OrderEvent::Approved(_)
        | OrderEvent::Confirmed(_)
        | OrderEvent::Preparing(_)
        | OrderEvent::Dispatched(_)
        | OrderEvent::Delivered(_)
        | OrderEvent::Reopened(_) => None,
    }
}

/// Calls back what is captured above what the checkout's live orders cost.
async fn call_off(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    order: &OrderRefV1,
) -> Result<bool, Error> {
    let checkout = store::change(tx, clock, cause, order.checkout_id, |checkout| {
        checkout.call_off(order.order_id, cause);
        Vec::new()
    })
    .await?;
    let mut payments = checkout.payments().iter();
    Ok(payments.any(|payment| payment.status == Status::Refunding))
}
