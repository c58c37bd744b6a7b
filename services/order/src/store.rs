//! Storage: orders, and read models of other services' aggregates.

pub mod accounts;
pub mod checkouts;
pub mod counts;
pub mod deliveries;
pub mod figures;
pub mod items;
pub mod order_list;
pub mod orders;
pub mod payments;
pub mod personal;
pub mod print_jobs;
pub mod print_marks;
pub mod printing;
pub mod refunds;
pub mod tickets;

use sqlx::PgConnection;
use tiffin_bus::{Aggregate, Change, Outgoing, StoredAggregate};
use tiffin_events::{OrderId, UserId, audience, order::OrderEvent};
use uuid::Uuid;

use crate::{
    error::Error,
    order::{Order, Refusal},
};

impl Aggregate for Order {
    type Event = OrderEvent;
    type Error = Error;

    fn id(&self) -> Uuid {
        self.id.0
    }

    fn version(&self) -> i64 {
        self.sequence
    }

    fn concerned(&self, _event: &OrderEvent) -> Vec<UserId> {
        self.concerned().collect()
    }

    fn order(&self) -> Option<Uuid> {
        Some(self.id.0)
    }

    /// The order's audience, if it changed.
    async fn ahead_of_events(
        &self,
        _tx: &mut PgConnection,
        change: &Change<'_, Self>,
    ) -> Result<Vec<Outgoing>, Error> {
        let watchers = self.audience();
        if change.before.map(Self::audience).as_ref() == Some(&watchers) {
            return Ok(Vec::new());
        }
        let key = audience::order_key(self.id);
        let watchers = watchers.at(self.sequence);
        let entry = Outgoing::audience(change.clock, &key, self.id.0, &watchers)?;
        Ok(vec![entry])
    }
}

impl StoredAggregate for Order {
    type Key = OrderId;
    type Refusal = Refusal;

    fn version_mut(&mut self) -> &mut i64 {
        &mut self.sequence
    }

    async fn lock(tx: &mut PgConnection, id: OrderId) -> Result<Self, Error> {
        orders::lock(tx, id).await?.ok_or(Refusal::NotFound.into())
    }

    async fn save(&self, tx: &mut PgConnection, _before: &Self) -> Result<(), Error> {
        Ok(orders::update(tx, self).await?)
    }
}
