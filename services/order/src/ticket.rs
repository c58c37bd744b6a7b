//! Changes of a ticket: the orders of one checkout from one restaurant. One driver brings them.

use sqlx::PgConnection;
use tiffin_bus::{Cause, Recorder};
use tiffin_events::{OrderId, order::OrderStatus};

use crate::{
    error::Error,
    order::{AssignedDriver, Order, Refusal},
    store::{print_jobs, tickets},
};

/// A step that an owner or an administrator takes.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub to: OrderStatus,
    pub driver: Option<AssignedDriver>,
}

/// The orders that take a step.
#[derive(Clone, Copy, Debug)]
pub enum Extent {
    /// The named order alone.
    Order,
    /// The orders of its ticket that have the status `from`, or have taken the step already. `None` is the status that
    /// the named order has now.
    Ticket { from: Option<OrderStatus> },
}

/// Takes the step with the named order or its ticket, all or none, and returns the orders that were meant. A new driver
/// gets the ticket's other orders that are in the kitchen, too.
pub async fn step(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    named: OrderId,
    extent: Extent,
    step: Step,
) -> Result<Vec<OrderId>, Error> {
    // All orders of a ticket are locked first and in one order, so that two calls wait for each other.
    let ticket = tickets::lock(tx, named).await?;
    let meant = match extent {
        Extent::Order => vec![named],
        Extent::Ticket { from } => {
            let own = || ticket.iter().find(|order| order.id == named);
            let from = from.or_else(|| own().map(|order| order.status));
            let from = from.ok_or(Refusal::Cancelled)?;
            let moved = ticket
                .iter()
                .filter(|order| order.status == from || order.status == step.to);
            moved.map(|order| order.id).collect()
        }
    };
    if meant.is_empty() {
        return Err(Refusal::MovedOn.into());
    }
    let now = recorder.clock.now();
    for id in &meant {
        tiffin_bus::change(tx, recorder, cause, *id, |order: &mut Order| {
            order.set_status(step.to, step.driver, now)
        })
        .await?;
        if [OrderStatus::Confirmed, OrderStatus::Preparing].contains(&step.to) {
            print_jobs::add(tx, *id, recorder.clock.new_id(), now).await?;
        }
    }
    if let Some(driver) = step.driver {
        for order in ticket.iter().filter(|order| !meant.contains(&order.id)) {
            tiffin_bus::change(tx, recorder, cause, order.id, |order: &mut Order| {
                order.follow_to(driver, now)
            })
            .await?;
        }
    }
    Ok(meant)
}
