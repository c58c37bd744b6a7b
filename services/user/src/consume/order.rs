use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_events::{
    OrderId,
    order::{OrderEvent, OrderRefV1, OrderStatus},
};

use crate::{State, store::orders};

impl AggregateHandler<OrderEvent> for State {
    /// Applies many events in two statements: the last event of each order counts.
    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, OrderEvent>],
    ) -> Result<(), Failure> {
        let last: HashMap<OrderId, _> = events
            .iter()
            .filter_map(|(_, event)| state_after(event))
            .map(|(order, is_under_way)| (order.order_id, (order, is_under_way)))
            .collect();
        let (under_way, over): (Vec<_>, Vec<_>) = last
            .into_values()
            .partition(|(_, is_under_way)| *is_under_way);
        let under_way: Vec<_> = under_way.into_iter().map(|(order, _)| order).collect();
        orders::save(tx, &under_way).await?;
        let over = over.into_iter().map(|(order, _)| order.order_id.0);
        Ok(orders::remove(tx, &over.collect::<Vec<_>>()).await?)
    }
}

/// An order and true if it is under way from this event on; `None` where the event changes nothing about that.
fn state_after(event: &OrderEvent) -> Option<(&OrderRefV1, bool)> {
    match event {
        OrderEvent::Placed(placed) => Some((&placed.order, true)),
        OrderEvent::Confirmed(confirmed) => Some((&confirmed.order, true)),
        OrderEvent::Reopened(reopened) => Some((&reopened.order, true)),
        OrderEvent::CancelRefused(refused) => {
            Some((&refused.order, refused.to != OrderStatus::Delivered))
        }
        OrderEvent::Cancelled(cancelled) => Some((&cancelled.order, false)),
        OrderEvent::Delivered(order) | OrderEvent::Deleted(order) => Some((order, false)),
        OrderEvent::Approved(_)
        | OrderEvent::Preparing(_)
        | OrderEvent::Dispatched(_)
        | OrderEvent::Reminded(_) => None,
    }
}
