use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_events::{
    OrderId,
    order::{OrderEvent, OrderStatus},
};

use super::create::create;
use crate::{
    Error, State, drafts,
    store::orders::{self, KnownOrder},
};

impl AggregateHandler<OrderEvent> for State {
    /// Saves an order's customer and owner, and creates the notifications of its event.
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, OrderEvent>],
    ) -> Result<(), Failure> {
        let ids = events
            .iter()
            .map(|(received, _)| OrderId(received.envelope.subject));
        let mut confirmed = orders::lock(tx, ids).await?;
        project(tx, events.iter().map(|(_, event)| event)).await?;
        let mut by_event = Vec::new();
        for (received, event) in events {
            let id = OrderId(received.envelope.subject);
            // An order that is confirmed again has another driver; the customer knows already that it is
            // confirmed.
            let is_known = match event {
                OrderEvent::Confirmed(_) => !confirmed.insert(id),
                OrderEvent::Reopened(reopened) if reopened.to == OrderStatus::Pending => {
                    confirmed.remove(&id);
                    false
                }
                _ => false,
            };
            if !is_known {
                by_event.push((*received, drafts::of_order(event)));
            }
        }
        create(tx, &self.recorder, by_event).await?;
        self.wake();
        Ok(())
    }

    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, OrderEvent>],
    ) -> Result<(), Failure> {
        Ok(project(tx, events.iter().map(|(_, event)| event)).await?)
    }
}

/// Saves many orders' events in two statements: first customers, owners and dishes, then the last confirmation.
async fn project(
    tx: &mut PgConnection,
    events: impl IntoIterator<Item = &OrderEvent>,
) -> Result<(), Error> {
    let mut known: Vec<KnownOrder<'_>> = Vec::new();
    let mut confirmed: HashMap<OrderId, bool> = HashMap::new();
    for event in events {
        match event {
            OrderEvent::Placed(placed) => known.push(KnownOrder {
                order: &placed.order,
                item_name: &placed.item_name,
                quantity: placed.quantity,
                ticket_orders: placed.ticket_orders,
            }),
            OrderEvent::Confirmed(order) => {
                known.push(KnownOrder {
                    order: &order.order,
                    item_name: &order.item_name,
                    quantity: order.quantity,
                    ticket_orders: None,
                });
                confirmed.insert(order.order.order_id, true);
            }
            OrderEvent::Reopened(reopened) if reopened.to == OrderStatus::Pending => {
                confirmed.insert(reopened.order.order_id, false);
            }
            _ => {}
        }
    }
    orders::save(tx, &known).await?;
    orders::set_confirmed(tx, &confirmed).await
}
