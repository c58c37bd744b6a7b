use sqlx::PgConnection;
use tiffin_events::{Coordinates, order::OrderPlacedV1};

use crate::{delivery::Order, error::Error, store::orders};

/// Remembers what there may be to bring.
pub async fn handle(tx: &mut PgConnection, placed: OrderPlacedV1) -> Result<(), Error> {
    orders::keep(tx, &Order::from(placed)).await?;
    Ok(())
}

impl From<OrderPlacedV1> for Order {
    fn from(placed: OrderPlacedV1) -> Self {
        Self {
            id: placed.order.order_id,
            code: placed.order.order_code,
            customer_id: placed.order.customer_id,
            owner_id: placed.order.owner_id,
            restaurant_id: placed.order.restaurant_id,
            item_name: placed.item_name,
            image: placed.image,
            quantity: placed.quantity,
            price: placed.price,
            total: placed.total_amount,
            address: placed.address,
            destination: placed
                .dest_lat
                .zip(placed.dest_lng)
                .map(|(lat, lng)| Coordinates { lat, lng }),
            called_off: false,
        }
    }
}
