//! One mail and one push for all that happens at once to the orders of one checkout at one restaurant.

use sqlx::PgConnection;
use tiffin_events::UserId;
use time::{Duration, OffsetDateTime};

use crate::{Error, drafts::Draft, notification::Ways, store::topic_name};

/// Events of a checkout's other orders within this time of the first share its mail, by the time of the
/// events: a replay and a late delivery have the same result.
const OCCASION: Duration = Duration::minutes(10);
/// Rows that decide nothing any more: events this old are sent nowhere.
const KEPT: Duration = Duration::days(1);

/// Leaves out mail and push where the reader has been sent the like of another order of the same
/// checkout and restaurant. The database decides it within the transaction that keeps the notification:
/// of parallel ones the second waits for the first, and what is rolled back has sent nothing.
pub async fn once(
    tx: &mut PgConnection,
    news: &Draft,
    at: OffsetDateTime,
    ways: Ways,
) -> Result<Ways, Error> {
    if !news.bundled || !ways.leave() {
        return Ok(ways);
    }
    let order = sqlx::query!(
        "select checkout_id, restaurant_id from orders where id = $1",
        news.order_id.0
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some((checkout, restaurant)) =
        order.and_then(|order| order.checkout_id.zip(order.restaurant_id))
    else {
        return Ok(ways);
    };
    let begun = sqlx::query!(
        "insert into occasions as o (checkout_id, restaurant_id, user_id, topic, since)
         values ($1, $2, $3, $4, $5)
         on conflict (checkout_id, restaurant_id, user_id, topic) do update set since = excluded.since
         where o.since <= $6",
        checkout,
        restaurant,
        news.user.0,
        topic_name(news.topic)?,
        at,
        at - OCCASION,
    )
    .execute(&mut *tx)
    .await?;
    if begun.rows_affected() == 0 {
        return Ok(ways.only_in_app());
    }
    expire(tx, at - KEPT).await?;
    Ok(ways)
}

/// Deletes the occasions of a closed account.
pub async fn forget(tx: &mut PgConnection, UserId(user): UserId) -> Result<(), Error> {
    sqlx::query!("delete from occasions where user_id = $1", user)
        .execute(tx)
        .await?;
    Ok(())
}

/// Deletes some old rows; those that others hold are not waited for.
async fn expire(tx: &mut PgConnection, before: OffsetDateTime) -> Result<(), Error> {
    sqlx::query!(
        "delete from occasions where (checkout_id, restaurant_id, user_id, topic) in (
             select checkout_id, restaurant_id, user_id, topic from occasions where since < $1
             order by since limit 100 for update skip locked
         )",
        before
    )
    .execute(tx)
    .await?;
    Ok(())
}
