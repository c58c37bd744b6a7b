//! Storage: orders, and read models of other services' aggregates.

pub mod counts;
pub mod deliveries;
pub mod figures;
pub mod items;
pub mod orders;
pub mod payments;
pub mod people;
pub mod rows;

use sqlx::PgConnection;
use tiffin_bus::{Cause, Outgoing, outbox};
use tiffin_events::{
    Clock, OrderId,
    audience::{self, Audience},
    order::OrderEvent,
};

use crate::{
    code::OrderCode,
    error::Error,
    order::{Order, Refusal},
};

/// The one way to change an order: lock it, let `transition` change it and say what happened or
/// refuse, save it, and append its events to the outbox. Returns the order as it is afterwards.
pub async fn change(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    id: OrderId,
    transition: impl FnOnce(&mut Order) -> Result<Vec<OrderEvent>, Refusal>,
) -> Result<Order, Error> {
    let mut order = orders::lock(tx, id).await?.ok_or(Error::NotFound)?;
    let (audience, version) = (order.audience(), order.version);
    let events = transition(&mut order)?;
    if events.is_empty() {
        return Ok(order);
    }
    order.version += i64::try_from(events.len()).unwrap_or(i64::MAX);
    orders::update(tx, &order).await?;
    let outgoing = tell(clock, cause, &order, version, Some(&audience), &events)?;
    outbox::append(tx, &outgoing).await?;
    Ok(order)
}

/// The one way to make orders: a code each, all in one statement, and their events to the outbox. Returns
/// them with their codes.
pub async fn place(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    mut orders: Vec<Order>,
    new_code: impl FnMut() -> OrderCode,
) -> Result<Vec<Order>, Error> {
    orders::insert(tx, &mut orders, new_code).await?;
    let mut outgoing = Vec::with_capacity(orders.len() * 2);
    for order in &orders {
        outgoing.extend(tell(clock, cause, order, 0, None, &[order.placed()])?);
    }
    outbox::append(tx, &outgoing).await?;
    Ok(orders)
}

/// The outbox rows for a change of `order`, which was at version `before`: its audience, if that changed,
/// then its events. Accounts that could watch it before get them too, so that it leaves the list of a
/// driver who lost it.
fn tell(
    clock: &Clock,
    cause: &Cause,
    order: &Order,
    before: i64,
    audience: Option<&Audience>,
    events: &[OrderEvent],
) -> serde_json::Result<Vec<Outgoing>> {
    let id = order.id.0;
    let cause = cause.clone().about(id);
    let mut outgoing = Vec::with_capacity(events.len() + 1);
    let watchers = order.audience();
    if audience != Some(&watchers) {
        let entry = Outgoing::entry(
            clock,
            &audience::order_key(order.id),
            id,
            &watchers.clone().at(order.version),
        )?;
        outgoing.push(if watchers.active {
            entry
        } else {
            entry.kept_for(audience::KEPT_AFTER)
        });
    }
    let previous = audience
        .map(|before| before.users.clone())
        .unwrap_or_default();
    for (event, sequence) in events.iter().zip(before + 1..) {
        let event = Outgoing::event(clock, &cause, id, sequence, event)?;
        outgoing.push(event.tell(order.concerned()).tell(previous.clone()));
    }
    Ok(outgoing)
}
