use std::{collections::HashMap, slice};

use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Cause, Decoded, Failure, Recorder};
use tiffin_events::{
    CheckoutId, OrderId,
    order::{OrderEvent, OrderRefV1},
};

use crate::{
    State,
    error::Error,
    payment::Status,
    store::{self, checkouts, deliveries, orders},
};

impl AggregateHandler<OrderEvent> for State {
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, OrderEvent>],
    ) -> Result<(), Failure> {
        // Consecutive events without further effects are saved together, each other event separately.
        for part in events.chunk_by(|(_, one), (_, next)| !has_effects(one) && !has_effects(next)) {
            match part {
                [one] if has_effects(&one.1) => {
                    if handle(tx, &self.recorder, one).await? {
                        self.work_waits.notify_one();
                    }
                }
                part => project(tx, part).await?,
            }
        }
        Ok(())
    }

    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, OrderEvent>],
    ) -> Result<(), Failure> {
        Ok(project(tx, events).await?)
    }
}

/// Saves an order's event. If the order is cancelled and no delivery is left, requests the refund of the
/// money that its checkout no longer needs. Returns true if there is now something to refund.
async fn handle(
    tx: &mut PgConnection,
    recorder: &Recorder,
    one: &Decoded<'_, OrderEvent>,
) -> Result<bool, Error> {
    let (received, event) = one;
    let cancellation = cancellation(event);
    if let Some((order, _)) = &cancellation {
        deliveries::lock(tx, order.order_id).await?;
        checkouts::lock(tx, order.checkout_id).await?;
    }
    if let OrderEvent::Confirmed(confirmed) = event {
        deliveries::expect_delivery(tx, confirmed.order.order_id).await?;
    }
    project(tx, slice::from_ref(one)).await?;
    match cancellation {
        Some((order, true)) => {
            let (order, checkout) = (order.order_id, order.checkout_id);
            cancel_order(
                tx,
                recorder,
                &Cause::event(&received.envelope),
                order,
                checkout,
            )
            .await
        }
        _ => Ok(false),
    }
}

/// Saves many orders' events in two statements. An order is placed before it is cancelled, and its last
/// event counts.
async fn project(tx: &mut PgConnection, events: &[Decoded<'_, OrderEvent>]) -> sqlx::Result<()> {
    let mut placed = Vec::new();
    let mut cancelled = HashMap::new();
    for (received, event) in events {
        if let OrderEvent::Placed(order) = event {
            placed.push((order, received.envelope.time));
        }
        cancelled.extend(
            cancellation(event).map(|(order, is_cancelled)| (order.order_id, is_cancelled)),
        );
    }
    orders::save(tx, &placed).await?;
    orders::set_cancelled(tx, &cancelled).await
}

/// True if an event has effects beyond its row.
fn has_effects(event: &OrderEvent) -> bool {
    matches!(event, OrderEvent::Confirmed(_)) || cancellation(event).is_some()
}

/// The order that an event cancels (`true`) or makes live again (`false`). A deleted order counts as
/// cancelled.
fn cancellation(event: &OrderEvent) -> Option<(&OrderRefV1, bool)> {
    match event {
        OrderEvent::Cancelled(cancelled) => Some((&cancelled.order, true)),
        OrderEvent::Deleted(order) => Some((order, true)),
        OrderEvent::CancelRefused(refused) => Some((&refused.order, false)),
        OrderEvent::Placed(_)
        | OrderEvent::Approved(_)
        | OrderEvent::Confirmed(_)
        | OrderEvent::Preparing(_)
        | OrderEvent::Dispatched(_)
        | OrderEvent::Delivered(_)
        | OrderEvent::Reopened(_)
        | OrderEvent::Reminded(_) => None,
    }
}

/// Requests the refund of the balance above the price of the checkout's live orders and those whose refund waits.
pub(super) async fn cancel_order(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    order: OrderId,
    checkout: CheckoutId,
) -> Result<bool, Error> {
    let checkout = store::change(tx, recorder, cause, checkout, |checkout| {
        checkout.cancel_order(order, cause);
        Vec::new()
    })
    .await?;
    let mut payments = checkout.payments().iter();
    Ok(payments.any(|payment| payment.status == Status::Refunding))
}
