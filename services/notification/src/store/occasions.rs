//! Bundling: one mail and one push for events that the orders of a checkout at one restaurant have together.

use std::collections::HashSet;

use sqlx::{PgConnection, PgPool};
use tiffin_events::UserId;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{
    Error,
    drafts::Draft,
    notification::Channels,
    store::{orders, topic_name},
};

/// The time after the first event in which events of the checkout's other orders share its mail. The times
/// of the events count, so that a replay and a late delivery have the same result.
const BUNDLE_WINDOW: Duration = Duration::minutes(10);
/// The age after which rows are deleted: events of this age are not sent any more.
const KEPT_FOR: Duration = Duration::days(1);

/// A checkout at a restaurant, a reader and a topic.
type Occasion = (Uuid, Uuid, Uuid, String);

/// Bundles notifications: leaves out mail and push where the reader has got the same topic for another order of the same checkout and
/// restaurant. The database decides in the transaction that saves the notifications, so that parallel ones
/// wait for each other and one that is rolled back has no effect.
pub async fn bundle(
    tx: &mut PgConnection,
    candidates: &[(&Draft, OffsetDateTime, Channels)],
) -> Result<Vec<Channels>, Error> {
    let mut result: Vec<Channels> = candidates
        .iter()
        .map(|(_, _, channels)| *channels)
        .collect();
    let sent = candidates
        .iter()
        .enumerate()
        .filter(|(_, (draft, _, channels))| draft.bundled && channels.are_sent());
    let sent: Vec<_> = sent.collect();
    if sent.is_empty() {
        return Ok(result);
    }
    let ids = sent.iter().map(|(_, (draft, ..))| draft.order_id);
    let checkouts = orders::checkouts(tx, ids).await?;
    let mut remaining = Vec::with_capacity(sent.len());
    for (n, (draft, at, _)) in sent {
        if let Some((checkout, restaurant)) = checkouts.get(&draft.order_id) {
            let topic = topic_name(draft.topic)?;
            remaining.push((n, (*checkout, *restaurant, draft.user.0, topic), *at));
        }
    }
    // One statement changes no row twice: of several of one occasion, each waits for the next statement.
    while !remaining.is_empty() {
        let mut seen = HashSet::new();
        let (now, later): (Vec<_>, Vec<_>) = remaining
            .into_iter()
            .partition(|(_, occasion, _)| seen.insert(occasion.clone()));
        let begun = begin(tx, &now).await?;
        for (n, occasion, _) in now {
            if !begun.contains(&occasion) {
                result[n] = result[n].only_in_app();
            }
        }
        remaining = later;
    }
    Ok(result)
}

/// Begins those of the occasions that have not begun within the last ten minutes, and returns them.
async fn begin(
    tx: &mut PgConnection,
    occasions: &[(usize, Occasion, OffsetDateTime)],
) -> Result<HashSet<Occasion>, Error> {
    let checkouts: Vec<_> = occasions.iter().map(|(_, (it, ..), _)| *it).collect();
    let restaurants: Vec<_> = occasions.iter().map(|(_, (_, it, ..), _)| *it).collect();
    let users: Vec<_> = occasions.iter().map(|(_, (.., it, _), _)| *it).collect();
    let topics: Vec<_> = occasions
        .iter()
        .map(|(_, (.., it), _)| it.clone())
        .collect();
    let times: Vec<_> = occasions.iter().map(|(.., at)| *at).collect();
    let begun = sqlx::query!(
        "insert into occasions as o (checkout_id, restaurant_id, user_id, topic, since)
         select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[])
         order by 1, 2, 3, 4
         on conflict (checkout_id, restaurant_id, user_id, topic) do update
             set since = excluded.since
             where o.since <= excluded.since - make_interval(secs => $6)
         returning checkout_id, restaurant_id, user_id, topic",
        &checkouts,
        &restaurants,
        &users,
        &topics,
        &times,
        BUNDLE_WINDOW.as_seconds_f64(),
    );
    let begun = begun.fetch_all(tx).await?.into_iter();
    Ok(begun
        .map(|row| (row.checkout_id, row.restaurant_id, row.user_id, row.topic))
        .collect())
}

/// Deletes the occasions of a closed account.
pub async fn delete(tx: &mut PgConnection, UserId(user): UserId) -> Result<(), Error> {
    sqlx::query!("delete from occasions where user_id = $1", user)
        .execute(tx)
        .await?;
    Ok(())
}

/// Deletes rows that no event needs any more, except those that other transactions have locked.
pub async fn delete_expired(pool: &PgPool, now: OffsetDateTime) -> Result<(), Error> {
    sqlx::query!(
        "delete from occasions where (checkout_id, restaurant_id, user_id, topic) in (
             select checkout_id, restaurant_id, user_id, topic from occasions where since < $1
             order by since limit 10000 for update skip locked
         )",
        now - KEPT_FOR
    )
    .execute(pool)
    .await?;
    Ok(())
}
