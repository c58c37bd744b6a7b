use sqlx::PgConnection;
use tiffin_bus::Cause;
use tiffin_events::{
    Clock, Envelope,
    order::{OrderEvent, OrderRefV1},
};

use crate::{
    error::Error,
    payment::Status,
    store::{self, orders, payments},
};

/// Keeps an order, or calls its money back. Returns whether there is now something to give back.
pub async fn learn(
    tx: &mut PgConnection,
    clock: &Clock,
    envelope: &Envelope,
    event: OrderEvent,
) -> Result<bool, Error> {
    match event {
        OrderEvent::Placed(placed) => {
            orders::keep(tx, &placed, envelope.time).await?;
            Ok(false)
        }
        // Nobody brings what is off the lists either.
        OrderEvent::Cancelled(order) | OrderEvent::Deleted(order) => {
            call_back(tx, clock, &Cause::event(envelope), &order).await
        }
        OrderEvent::Approved(_)
        | OrderEvent::Confirmed(_)
        | OrderEvent::Preparing(_)
        | OrderEvent::Dispatched(_)
        | OrderEvent::Delivered(_)
        | OrderEvent::Reopened(_) => Ok(false),
    }
}

async fn call_back(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    order: &OrderRefV1,
) -> Result<bool, Error> {
    orders::hold_checkout(tx, order.checkout_id).await?;
    orders::cancel(tx, order).await?;
    let Some(payment) = payments::standing(tx, order.order_id).await? else {
        return Ok(false);
    };
    let payment = store::change(tx, clock, cause, payment.id, |payment, _| {
        payment.call_back(cause.clone());
        Vec::new()
    })
    .await?;
    Ok(payment.status == Status::Refunding)
}
