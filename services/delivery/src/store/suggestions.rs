//! The table `suggestions`.

use sqlx::PgConnection;
use tiffin_bus::{Aggregate, StoredAggregate};
use tiffin_events::{OrderId, RestaurantId, SuggestionId, UserId, suggestion::SuggestionEvent};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    error::Error,
    suggestion::{NotPicked, Pick, RESERVED, Suggestion},
};

impl Aggregate for Suggestion {
    type Event = SuggestionEvent;
    type Error = Error;

    fn id(&self) -> Uuid {
        self.id.0
    }

    fn version(&self) -> i64 {
        self.sequence
    }

    /// The owner's board and the driver's page show who declined. The owner's page knows the rest by itself.
    fn concerned(&self, event: &SuggestionEvent) -> Vec<UserId> {
        match event {
            SuggestionEvent::Declined(declined) => vec![self.owner_id, declined.driver_id],
            SuggestionEvent::Made(_) | SuggestionEvent::Picked(_) => Vec::new(),
        }
    }

    fn order(&self) -> Option<Uuid> {
        Some(self.order_id.0)
    }
}

/// The suggestions for an order are locked by its id, once [`insert`] has made the row.
impl StoredAggregate for Suggestion {
    type Key = OrderId;
    type Refusal = NotPicked;

    fn version_mut(&mut self) -> &mut i64 {
        &mut self.sequence
    }

    async fn lock(tx: &mut PgConnection, OrderId(order): OrderId) -> Result<Self, Error> {
        let row = sqlx::query!(
            "select id, order_code, owner_id, restaurant_id, drivers, declined, picked_driver, picked_at, version
             from suggestions where order_id = $1 for update",
            order,
        )
        .fetch_one(tx)
        .await?;
        let users = |ids: Vec<Uuid>| ids.into_iter().map(UserId).collect();
        let picked = row.picked_driver.zip(row.picked_at);
        Ok(Self {
            id: SuggestionId(row.id),
            order_id: OrderId(order),
            order_code: row.order_code,
            owner_id: UserId(row.owner_id),
            restaurant_id: RestaurantId(row.restaurant_id),
            drivers: users(row.drivers),
            declined: users(row.declined),
            picked: picked.map(|(driver, at)| Pick {
                driver: UserId(driver),
                at,
            }),
            sequence: row.version,
        })
    }

    async fn save(&self, tx: &mut PgConnection, _before: &Self) -> Result<(), Error> {
        let ids = |users: &[UserId]| users.iter().map(|user| user.0).collect::<Vec<_>>();
        sqlx::query!(
            "update suggestions
             set drivers = $2, declined = $3, picked_driver = $4, picked_at = $5, version = $6
             where id = $1",
            self.id.0,
            &ids(&self.drivers),
            &ids(&self.declined),
            self.picked.map(|pick| pick.driver.0),
            self.picked.map(|pick| pick.at),
            self.sequence,
        )
        .execute(tx)
        .await?;
        Ok(())
    }
}

/// Inserts the row of an order that has none yet.
pub async fn insert(tx: &mut PgConnection, new: &Suggestion) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into suggestions (id, order_id, order_code, owner_id, restaurant_id)
         values ($1, $2, $3, $4, $5)
         on conflict on constraint suggestions_order_id_key do nothing",
        new.id.0,
        new.order_id.0,
        new.order_code,
        new.owner_id.0,
        new.restaurant_id.0,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// True if another owner picked the driver, or gave them an order, after `since`. The driver is locked.
pub async fn is_taken(
    tx: &mut PgConnection,
    UserId(driver): UserId,
    UserId(owner): UserId,
    since: OffsetDateTime,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (
               select from suggestions s join orders o on o.id = s.order_id and not o.called_off
               where s.picked_driver = $1 and s.owner_id <> $2 and s.picked_at >= $3 and s.picked_at > $4
           ) or exists (
               select from deliveries
               where driver_id = $1 and owner_id <> $2 and cancelled_at is null and status <> 'delivered'
                 and (created_at >= $3 or (status = 'picked up' and status_at >= $3))
           ) as "is_taken!""#,
        driver,
        owner,
        since,
        now - RESERVED,
    )
    .fetch_one(tx)
    .await
}
