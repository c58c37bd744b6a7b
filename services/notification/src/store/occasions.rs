//! Bundling: one mail and one push for events that the orders of a checkout at one restaurant have together.

use sqlx::{PgConnection, PgPool};
use tiffin_events::UserId;
use time::{Duration, OffsetDateTime};

use crate::{Error, drafts::Draft, notification::Ways, store::topic_name};

/// The time after the first event in which events of the checkout's other orders share its mail. The times
/// of the events count, so that a replay and a late delivery have the same result.
const OCCASION: Duration = Duration::minutes(10);
/// The age after which rows are deleted: events of this age are not sent any more.
const KEPT: Duration = Duration::days(1);

/// Leaves out mail and push if the reader has got the same topic for another order of the same checkout and
/// restaurant. The database decides in the transaction that saves the notification, so that parallel ones
/// wait for each other and one that is rolled back has no effect.
pub async fn once(
    tx: &mut PgConnection,
    news: &Draft,
    at: OffsetDateTime,
    ways: Ways,
) -> Result<Ways, Error> {
    if !news.bundled || !ways.leave() {
        return Ok(ways);
    }
    let occasion = sqlx::query!(
        r#"with place as (
             select checkout_id, restaurant_id from orders
             where id = $1 and checkout_id is not null and restaurant_id is not null
         ), begun as (
             insert into occasions as o (checkout_id, restaurant_id, user_id, topic, since)
             select checkout_id, restaurant_id, $2, $3, $4 from place
             on conflict (checkout_id, restaurant_id, user_id, topic) do update
                 set since = excluded.since
                 where o.since <= $5
             returning since
         )
         select exists (select from place) as "known!", exists (select from begun) as "begun!""#,
        news.order_id.0,
        news.user.0,
        topic_name(news.topic)?,
        at,
        at - OCCASION,
    )
    .fetch_one(tx)
    .await?;
    if occasion.known && !occasion.begun {
        return Ok(ways.only_in_app());
    }
    Ok(ways)
}

/// Deletes the occasions of a closed account.
pub async fn forget(tx: &mut PgConnection, UserId(user): UserId) -> Result<(), Error> {
    sqlx::query!("delete from occasions where user_id = $1", user)
        .execute(tx)
        .await?;
    Ok(())
}

/// Deletes rows that no event needs any more, except those that other transactions have locked.
pub async fn expire(pool: &PgPool, now: OffsetDateTime) -> Result<(), Error> {
    sqlx::query!(
        "delete from occasions where (checkout_id, restaurant_id, user_id, topic) in (
             select checkout_id, restaurant_id, user_id, topic from occasions where since < $1
             order by since limit 10000 for update skip locked
         )",
        now - KEPT
    )
    .execute(pool)
    .await?;
    Ok(())
}
