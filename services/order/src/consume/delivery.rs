use sqlx::PgConnection;
use tiffin_bus::Cause;
use tiffin_events::{
    Clock,
    delivery::{DeliveryEvent, DeliveryStatus},
    order::OrderStatus,
};

use crate::{
    error::Error,
    store::{self, deliveries},
};

/// Shows the delivery at its order, and moves the order along with it: forward only, so that what the
/// delivery service makes of an order's events never comes back as another change.
pub async fn follow(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    event: DeliveryEvent,
) -> Result<(), Error> {
    let (delivery, status, reached) = match event {
        DeliveryEvent::Created(created) => (created.delivery, DeliveryStatus::PickedUp, None),
        DeliveryEvent::Reassigned(reassigned) => (reassigned.delivery, reassigned.status, None),
        DeliveryEvent::PickedUp(delivery) => (delivery, DeliveryStatus::PickedUp, None),
        DeliveryEvent::OnTheWay(delivery) => (
            delivery,
            DeliveryStatus::OnTheWay,
            Some(OrderStatus::Dispatched),
        ),
        DeliveryEvent::Delivered(delivery) => (
            delivery,
            DeliveryStatus::Delivered,
            Some(OrderStatus::Delivered),
        ),
        DeliveryEvent::Cancelled(delivery) => {
            return Ok(deliveries::remove(tx, delivery.order_id).await?);
        }
    };
    deliveries::keep(tx, &delivery, status).await?;
    if let Some(reached) = reached {
        store::change(tx, clock, cause, delivery.order_id, |order| {
            Ok(order.follow_delivery(reached, delivery.driver_id, clock.now()))
        })
        .await?;
    }
    Ok(())
}
