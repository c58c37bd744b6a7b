//! The deliveries that each driver has under way.

use sqlx::PgConnection;
use tiffin_events::{DeliveryId, UserId};

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
