use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Cause, Decoded, Failure, Recorder};
use tiffin_chassis::Scope;
use tiffin_events::{
    Coordinates, DeliveryId, OrderId,
    order::{OrderConfirmedV1, OrderEvent, OrderPlacedV1, OrderStatus},
};
use time::OffsetDateTime;

use crate::{
    State,
    delivery::{AssignedDriver, Delivery, Order, Refusal},
    error::Error,
    store::{self, deliveries, orders, tickets},
};

impl AggregateHandler<OrderEvent> for State {
    /// Saves an order. Creates its delivery once it is confirmed, and cancels it with the order.
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, OrderEvent>],
    ) -> Result<(), Failure> {
        let changed = events.iter().filter(|(_, event)| changes_delivery(event));
        let orders = changed.map(|(received, _)| OrderId(received.envelope.subject));
        tickets::lock_all(tx, &orders.collect::<Vec<_>>()).await?;
        // Consecutive events that change no delivery are saved together, each other event separately.
        for part in
            events.chunk_by(|(_, one), (_, next)| !changes_delivery(one) && !changes_delivery(next))
        {
            // The order comes first: a request that creates its delivery at the same time locks its row.
            self.project(tx, part).await?;
            for (received, event) in part {
                let cause = Cause::event(&received.envelope);
                update_delivery(tx, &self.recorder, &cause, event).await?;
                // An event that follows from another is the delivery's own step, which comes back.
                if received.envelope.causationid.is_none() {
                    follow_order(tx, &self.recorder, &cause, event).await?;
                }
            }
        }
        self.forecasts.notify_one();
        Ok(())
    }

    /// Saves many orders' events in two statements: the orders, then their cancellations. A refused cancellation
    /// makes an order live again.
    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, OrderEvent>],
    ) -> Result<(), Failure> {
        let orders: Vec<Order> = events
            .iter()
            .filter_map(|(_, event)| match event {
                OrderEvent::Placed(placed) => Some(Order::from(placed)),
                OrderEvent::Confirmed(confirmed) => Some(Order::from(confirmed)),
                // These rows say nothing of the status, and this service knows its own deliveries.
                OrderEvent::Approved(_)
                | OrderEvent::Preparing(_)
                | OrderEvent::Dispatched(_)
                | OrderEvent::Delivered(_)
                | OrderEvent::Reopened(_)
                | OrderEvent::Cancelled(_)
                | OrderEvent::Deleted(_)
                | OrderEvent::Reminded(_)
                | OrderEvent::CancelRefused(_) => None,
            })
            .collect();
        orders::save(tx, &orders).await?;
        // The last event of each order counts.
        let cancelled: HashMap<OrderId, bool> = events
            .iter()
            .filter_map(|(_, event)| match event {
                OrderEvent::CancelRefused(refused) => Some((refused.order.order_id, false)),
                event => Some((cancellation_of(event)?, true)),
            })
            .collect();
        Ok(orders::set_cancelled(tx, &cancelled).await?)
    }
}

/// True if an event changes a delivery.
fn changes_delivery(event: &OrderEvent) -> bool {
    matches!(event, OrderEvent::Confirmed(_))
        || cancellation_of(event).is_some()
        || status_of(event).is_some()
}

/// The order and its status, where the event says that it was delivered or that it was not after all.
fn status_of(event: &OrderEvent) -> Option<(OrderId, OrderStatus)> {
    match event {
        OrderEvent::Delivered(order) => Some((order.order_id, OrderStatus::Delivered)),
        OrderEvent::Reopened(reopened) if reopened.from == OrderStatus::Delivered => {
            Some((reopened.order.order_id, reopened.to))
        }
        _ => None,
    }
}

async fn update_delivery(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    event: &OrderEvent,
) -> Result<(), Error> {
    if let OrderEvent::Confirmed(order) = event {
        let driver = AssignedDriver {
            id: order.assigned_driver,
            vehicle: order.vehicle_type,
        };
        let assignment = (driver, order.estimated_time);
        assign(tx, recorder, cause, &Order::from(order), assignment).await?;
    }
    if let Some(order) = cancellation_of(event) {
        cancel(tx, recorder, cause, order).await?;
    }
    Ok(())
}

fn cancellation_of(event: &OrderEvent) -> Option<OrderId> {
    match event {
        OrderEvent::Cancelled(cancelled) => Some(cancelled.order.order_id),
        OrderEvent::Deleted(order) => Some(order.order_id),
        _ => None,
    }
}

/// Gives an order to its driver: a new delivery, or the one there is.
async fn assign(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    order: &Order,
    (driver, estimated_time): (AssignedDriver, OffsetDateTime),
) -> Result<(), Error> {
    let clock = &recorder.clock;
    let id = DeliveryId(clock.new_id());
    let delivery = Delivery::of(order, id, driver, estimated_time, clock.now())?;
    if store::create(tx, recorder, cause, order, &delivery).await? {
        return Ok(());
    }
    let id = deliveries::of_order(tx, order.id)
        .await?
        .ok_or(Refusal::NotFound)?;
    tiffin_bus::change(
        tx,
        recorder,
        cause,
        (Scope::default(), id),
        |delivery: &mut Delivery| Ok(delivery.reassign(driver, estimated_time, clock.now())),
    )
    .await?;
    Ok(())
}

/// Ends the delivery of an order that its owner calls delivered, and takes it up again when they take that back.
async fn follow_order(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    event: &OrderEvent,
) -> Result<(), Error> {
    let clock = &recorder.clock;
    let Some((order, status)) = status_of(event) else {
        return Ok(());
    };
    let Some(id) = deliveries::of_order(tx, order).await? else {
        return Ok(());
    };
    tiffin_bus::change(
        tx,
        recorder,
        cause,
        (Scope::default(), id),
        |delivery: &mut Delivery| Ok(delivery.follow_order(status, clock.now())),
    )
    .await?;
    Ok(())
}

/// Cancels the delivery of a cancelled order, or refuses to, if there is one.
async fn cancel(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    order: OrderId,
) -> Result<(), Error> {
    let clock = &recorder.clock;
    let Some(id) = deliveries::of_order(tx, order).await? else {
        return Ok(());
    };
    let now = clock.now();
    tiffin_bus::change(
        tx,
        recorder,
        cause,
        (Scope::default(), id),
        |delivery: &mut Delivery| Ok(delivery.cancel(now)),
    )
    .await?;
    Ok(())
}

impl From<&OrderPlacedV1> for Order {
    fn from(placed: &OrderPlacedV1) -> Self {
        Self {
            id: placed.order.order_id,
            code: placed.order.order_code.clone(),
            checkout_id: Some(placed.order.checkout_id),
            customer_id: placed.order.customer_id,
            owner_id: placed.order.owner_id,
            restaurant_id: placed.order.restaurant_id,
            item_name: placed.item_name.clone(),
            image: placed.image.clone(),
            quantity: placed.quantity,
            price: placed.price,
            total: placed.total_amount,
            address: placed.address.clone(),
            destination: destination(placed.dest_lat, placed.dest_lng),
            is_cancelled: false,
        }
    }
}

impl From<&OrderConfirmedV1> for Order {
    fn from(confirmed: &OrderConfirmedV1) -> Self {
        Self {
            id: confirmed.order.order_id,
            code: confirmed.order.order_code.clone(),
            checkout_id: Some(confirmed.order.checkout_id),
            customer_id: confirmed.order.customer_id,
            owner_id: confirmed.order.owner_id,
            restaurant_id: confirmed.order.restaurant_id,
            item_name: confirmed.item_name.clone(),
            image: confirmed.image.clone(),
            quantity: confirmed.quantity,
            price: confirmed.price,
            total: confirmed.total_amount,
            address: confirmed.address.clone(),
            destination: destination(confirmed.dest_lat, confirmed.dest_lng),
            is_cancelled: false,
        }
    }
}

fn destination(lat: Option<f64>, lng: Option<f64>) -> Option<Coordinates> {
    lat.zip(lng).map(|(lat, lng)| Coordinates { lat, lng })
}
