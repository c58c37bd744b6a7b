//! The deliveries that each driver has under way.

use sqlx::PgConnection;
use tiffin_events::{DeliveryId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

/// Locks the list of deliveries that a driver has under way until the transaction ends.
pub async fn lock(tx: &mut PgConnection, UserId(driver): UserId) -> sqlx::Result<()> {
    // The text is the one of earlier releases, so that processes of both wait for each other.
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended($1, 0))",
        format!("trips of {driver}")
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn under_way(
    tx: &mut PgConnection,
    UserId(driver): UserId,
) -> sqlx::Result<Vec<DeliveryId>> {
    let ids = sqlx::query_scalar!(
        "select id from deliveries
         where driver_id = $1 and cancelled_at is null and status <> 'delivered'
         order by id",
        driver,
    )
    .fetch_all(tx)
    .await?;
    Ok(ids.into_iter().map(DeliveryId).collect())
}

/// The part of a delivery during which it was a driver's.
#[derive(Clone, Copy, Debug)]
pub struct DriverTrip {
    pub delivery_id: Uuid,
    pub order_id: Uuid,
    pub from: OffsetDateTime,
    /// The time of its end; `None` while it is under way.
    pub until: Option<OffsetDateTime>,
}

/// The deliveries that a driver had under way at some time from `from` to `to`, without those that were taken away.
pub async fn between(
    tx: &mut PgConnection,
    UserId(driver): UserId,
    (from, to): (OffsetDateTime, OffsetDateTime),
) -> sqlx::Result<Vec<DriverTrip>> {
    sqlx::query_as!(
        DriverTrip,
        r#"select delivery_id, order_id, "from" as "from!", until
         from (
             select d.id as delivery_id, d.order_id, coalesce(t.assigned_at, d.created_at) as "from",
                    coalesce(d.cancelled_at, case when d.status = 'delivered' then d.status_at end) as until
             from deliveries d left join trips t on t.delivery_id = d.id and t.driver_id = d.driver_id
             where d.driver_id = $1
         ) as own
         where "from" <= $3 and (until is null or until >= $2)
         order by delivery_id"#,
        driver,
        from,
        to,
    )
    .fetch_all(tx)
    .await
}
