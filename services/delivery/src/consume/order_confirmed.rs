use sqlx::PgConnection;
use tiffin_bus::Cause;
use tiffin_events::{Clock, Coordinates, DeliveryId, order::OrderConfirmedV1};

use crate::{
    delivery::{Delivery, Order},
    error::Error,
    scope::Scope,
    store::{self, deliveries, orders},
};

/// Gives the order to its driver: a new delivery, or the one there is.
pub async fn handle(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    confirmed: OrderConfirmedV1,
) -> Result<(), Error> {
    let (driver, promise) = (confirmed.assigned_driver, confirmed.estimated_time);
    let order = Order::from(confirmed);
    orders::keep(tx, &order).await?;
    let delivery = Delivery::of(
        &order,
        DeliveryId(clock.new_id()),
        driver,
        promise,
        clock.now(),
    )?;
    if store::create(tx, clock, cause, &order, &delivery).await? {
        return Ok(());
    }
    let id = deliveries::of_order(tx, order.id)
        .await?
        .ok_or(Error::NotFound)?;
    store::change(tx, clock, cause, Scope::default(), id, |delivery| {
        Ok(delivery.reassign(driver, promise))
    })
    .await?;
    Ok(())
}

impl From<OrderConfirmedV1> for Order {
    fn from(confirmed: OrderConfirmedV1) -> Self {
        Self {
            id: confirmed.order.order_id,
            code: confirmed.order.order_code,
            customer_id: confirmed.order.customer_id,
            owner_id: confirmed.order.owner_id,
            restaurant_id: confirmed.order.restaurant_id,
            item_name: confirmed.item_name,
            image: confirmed.image,
            quantity: confirmed.quantity,
            price: confirmed.price,
            total: confirmed.total_amount,
            address: confirmed.address,
            destination: confirmed
                .dest_lat
                .zip(confirmed.dest_lng)
                .map(|(lat, lng)| Coordinates { lat, lng }),
            called_off: false,
        }
    }
}
