use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_bus::Received;
use tiffin_events::{
    Clock, OrderId,
    order::{OrderEvent, OrderRefV1, OrderStatus},
};

use super::create::create;
use crate::{Error, drafts, store::orders};

/// Keeps whose an order is, and tells what there is to tell.
pub(super) async fn handle(
    tx: &mut PgConnection,
    clock: &Clock,
    received: &Received,
    event: &OrderEvent,
) -> Result<(), Error> {
    // Confirmed again, with another driver: the customer knows already.
    let is_known = match event {
        OrderEvent::Confirmed(order) => orders::is_confirmed(tx, order.order.order_id).await?,
        _ => false,
    };
    project(tx, [event]).await?;
    if is_known {
        return Ok(());
    }
    create(tx, clock, received, drafts::of_order(event)).await
}

/// Keeps what orders' events say, many in two statements: whose each is, then how it ended up.
pub(super) async fn project(
    tx: &mut PgConnection,
    events: impl IntoIterator<Item = &OrderEvent>,
) -> Result<(), Error> {
    let mut known: Vec<&OrderRefV1> = Vec::new();
    let mut confirmed: HashMap<OrderId, bool> = HashMap::new();
    for event in events {
        match event {
            OrderEvent::Placed(placed) => known.push(&placed.order),
            OrderEvent::Confirmed(order) => {
                known.push(&order.order);
                confirmed.insert(order.order.order_id, true);
            }
            OrderEvent::Reopened(reopened) if reopened.to == OrderStatus::Pending => {
                confirmed.insert(reopened.order.order_id, false);
            }
            _ => {}
        }
    }
    orders::keep(tx, &known).await?;
    orders::set_confirmed(tx, &confirmed).await
}
