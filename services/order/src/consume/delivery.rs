use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Cause, Decoded, Failure, Recorder};
use tiffin_events::{
    delivery::{DeliveryEvent, DeliveryRefV1, DeliveryStatus},
    order::OrderStatus,
};

use crate::{
    State,
    error::Error,
    order::Order,
    store::{deliveries, tickets},
};

impl AggregateHandler<DeliveryEvent> for State {
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, DeliveryEvent>],
    ) -> Result<(), Failure> {
        let orders = events
            .iter()
            .map(|(_, event)| status_after(event).0.order_id);
        tickets::lock_all(tx, &orders.collect::<Vec<_>>()).await?;
        for (received, event) in events {
            project(tx, [event]).await?;
            let cause = Cause::event(&received.envelope);
            update_order(tx, &self.recorder, &cause, event).await?;
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

/// Moves the order to the status of its delivery: forward only, so that an effect of an order's events never comes
/// back as another change. A cancellation that came too late is undone.
async fn update_order(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    event: &DeliveryEvent,
) -> Result<(), Error> {
    let clock = &recorder.clock;
    let (delivery, reached) = match event {
        DeliveryEvent::OnTheWay(delivery) => (delivery, OrderStatus::Dispatched),
        DeliveryEvent::Delivered(delivery) => (delivery, OrderStatus::Delivered),
        DeliveryEvent::CancelRefused(refused) => {
            let reached = match refused.status {
                DeliveryStatus::Delivered => OrderStatus::Delivered,
                DeliveryStatus::OnTheWay | DeliveryStatus::PickedUp => OrderStatus::Dispatched,
            };
            tiffin_bus::change(
                tx,
                recorder,
                cause,
                refused.delivery.order_id,
                |order: &mut Order| Ok(order.restore(reached, clock.now())),
            )
            .await?;
            return Ok(());
        }
        DeliveryEvent::Created(_)
        | DeliveryEvent::Reassigned(_)
        | DeliveryEvent::PickedUp(_)
        | DeliveryEvent::EtaChanged(_)
        | DeliveryEvent::Cancelled(_) => return Ok(()),
    };
    tiffin_bus::change(
        tx,
        recorder,
        cause,
        delivery.order_id,
        |order: &mut Order| {
            Ok(order.apply_delivery_status(reached, delivery.driver_id, clock.now()))
        },
    )
    .await?;
    Ok(())
}

/// Saves the status of many deliveries in two statements: the last event of each order counts.
async fn project(
    tx: &mut PgConnection,
    events: impl IntoIterator<Item = &DeliveryEvent>,
) -> sqlx::Result<()> {
    let last: HashMap<_, _> = events
        .into_iter()
        .map(|event| {
            let (delivery, status) = status_after(event);
            (delivery.order_id, status.map(|status| (delivery, status)))
        })
        .collect();
    let cancelled = last.iter().filter(|(_, delivery)| delivery.is_none());
    let cancelled: Vec<_> = cancelled.map(|(order, _)| order.0).collect();
    deliveries::remove(tx, &cancelled).await?;
    deliveries::save(tx, &last.into_values().flatten().collect::<Vec<_>>()).await
}

/// The delivery's status after an event; `None` once it was cancelled.
fn status_after(event: &DeliveryEvent) -> (&DeliveryRefV1, Option<DeliveryStatus>) {
    match event {
        DeliveryEvent::Created(created) => (&created.delivery, Some(DeliveryStatus::PickedUp)),
        DeliveryEvent::Reassigned(moved) => (&moved.delivery, Some(moved.status)),
        DeliveryEvent::EtaChanged(changed) => (&changed.delivery, Some(changed.status)),
        DeliveryEvent::PickedUp(delivery) => (delivery, Some(DeliveryStatus::PickedUp)),
        DeliveryEvent::OnTheWay(delivery) => (delivery, Some(DeliveryStatus::OnTheWay)),
        DeliveryEvent::Delivered(delivery) => (delivery, Some(DeliveryStatus::Delivered)),
        DeliveryEvent::Cancelled(delivery) => (delivery, None),
        DeliveryEvent::CancelRefused(refused) => (&refused.delivery, Some(refused.status)),
    }
}
