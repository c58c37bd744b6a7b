use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Cause, Decoded, Failure, Recorder};
use tiffin_events::{OrderId, delivery::DeliveryEvent};

use super::order;
use crate::{State, error::Error, store::deliveries};

impl AggregateHandler<DeliveryEvent> for State {
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, DeliveryEvent>],
    ) -> Result<(), Failure> {
        for (received, event) in events {
            let cause = Cause::event(&received.envelope);
            if handle(tx, &self.recorder, &cause, event).await? {
                self.work_waits.notify_one();
            }
        }
        Ok(())
    }

    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, DeliveryEvent>],
    ) -> Result<(), Failure> {
        Ok(project(tx, events.iter().map(|(_, event)| event)).await?)
    }
}

/// Saves a delivery's event. If delivery and order are cancelled, requests the refund of the money that the
/// checkout no longer needs. Returns true if there is now something to refund.
async fn handle(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    event: &DeliveryEvent,
) -> Result<bool, Error> {
    let (id, is_over) = state_after(event);
    if !is_over {
        project(tx, [event]).await?;
        return Ok(false);
    }
    deliveries::lock(tx, id).await?;
    project(tx, [event]).await?;
    match deliveries::checkout_if_cancelled(tx, id).await? {
        Some(checkout) => order::cancel_order(tx, recorder, cause, id, checkout).await,
        None => Ok(false),
    }
}

/// Saves many deliveries' events in one statement.
async fn project(
    tx: &mut PgConnection,
    events: impl IntoIterator<Item = &DeliveryEvent>,
) -> sqlx::Result<()> {
    let mut known: HashMap<OrderId, bool> = HashMap::new();
    for event in events {
        let (order, is_over) = state_after(event);
        *known.entry(order).or_default() |= is_over;
    }
    deliveries::save(tx, &known).await
}

/// The order of a delivery, and `true` if the delivery is cancelled.
fn state_after(event: &DeliveryEvent) -> (OrderId, bool) {
    match event {
        DeliveryEvent::Created(created) => (created.delivery.order_id, false),
        DeliveryEvent::Reassigned(moved) => (moved.delivery.order_id, false),
        DeliveryEvent::EtaChanged(changed) => (changed.delivery.order_id, false),
        DeliveryEvent::CancelRefused(refused) => (refused.delivery.order_id, false),
        DeliveryEvent::PickedUp(delivery)
        | DeliveryEvent::OnTheWay(delivery)
        | DeliveryEvent::Delivered(delivery) => (delivery.order_id, false),
        DeliveryEvent::Cancelled(delivery) => (delivery.order_id, true),
    }
}
