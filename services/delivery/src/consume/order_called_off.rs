use sqlx::PgConnection;
use tiffin_bus::Cause;
use tiffin_events::{Clock, OrderId};

use crate::{
    error::Error,
    scope::Scope,
    store::{self, deliveries, orders},
};

/// Ends the delivery of an order that was cancelled or deleted, if it has one.
pub async fn handle(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    order: OrderId,
) -> Result<(), Error> {
    // First the order: whoever is making its delivery right now holds it.
    orders::call_off(tx, order).await?;
    let Some(id) = deliveries::of_order(tx, order).await? else {
        return Ok(());
    };
    let now = clock.now();
    store::change(tx, clock, cause, Scope::default(), id, |delivery| {
        Ok(delivery.call_off(now))
    })
    .await?;
    Ok(())
}
