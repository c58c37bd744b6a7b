//! Bundling: one notification, one mail and one push for what the orders of a checkout at one restaurant have together.

use std::collections::{HashMap, HashSet};

use sqlx::{PgConnection, PgPool};
use tiffin_events::{NotificationId, UserId};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{
    Error,
    drafts::Draft,
    notification::Channels,
    store::{orders, topic_name},
    text,
};

/// The age after which rows are deleted: events of this age are not sent any more.
const KEPT_FOR: Duration = Duration::days(1);

/// A checkout at a restaurant, a reader and a sentence.
type Occasion = (Uuid, Uuid, Uuid, String);

/// A notification that may be one with others.
pub struct Candidate<'a> {
    pub id: NotificationId,
    pub draft: &'a Draft,
    pub at: OffsetDateTime,
    pub channels: Channels,
}

/// The channels of a notification, and the one that includes it, if there is one.
pub type Bundled = (Channels, Option<NotificationId>);

/// Bundles notifications: one includes those that say the same of other orders of its checkout and restaurant. The
/// database decides in the transaction that saves the notifications, so that parallel ones wait for each other and one
/// that is rolled back has no effect.
pub async fn bundle(
    tx: &mut PgConnection,
    candidates: &[Candidate<'_>],
    now: OffsetDateTime,
) -> Result<Vec<Bundled>, Error> {
    let mut result: Vec<Bundled> = candidates.iter().map(|it| (it.channels, None)).collect();
    let ids = candidates.iter().filter(|it| it.draft.window.is_some());
    let checkouts = orders::checkouts(tx, ids.map(|it| it.draft.order_id)).await?;
    let mut remaining = Vec::new();
    for (n, candidate) in candidates.iter().enumerate() {
        let draft = candidate.draft;
        let checkout = checkouts.get(&draft.order_id);
        if let (Some(window), Some((checkout, restaurant))) = (draft.window, checkout) {
            let sentence = match text::known(&draft.order_code, &draft.text) {
                Some((known, _)) => known.code().to_owned(),
                None => topic_name(draft.topic)?,
            };
            let occasion = (*checkout, *restaurant, draft.user.0, sentence);
            remaining.push((n, occasion, window));
        }
    }
    // One statement changes no row twice: of several of one occasion, each waits for the next statement.
    while !remaining.is_empty() {
        let mut seen = HashSet::new();
        let (turn, later): (Vec<_>, Vec<_>) = remaining
            .into_iter()
            .partition(|(_, occasion, _)| seen.insert(occasion.clone()));
        let firsts = begin(tx, candidates, &turn, now).await?;
        for (n, occasion, _) in turn {
            let Some(first) = firsts.get(&occasion) else {
                // A row of the release before.
                result[n].0 = result[n].0.only_in_app();
                continue;
            };
            if *first != candidates[n].id {
                result[n] = (Channels::nowhere(), Some(*first));
            }
        }
        remaining = later;
    }
    keep_repeated(tx, candidates, &mut result).await?;
    Ok(result)
}

/// Lists by itself, without mail and push, news that an order has again: a notification includes an order once.
async fn keep_repeated(
    tx: &mut PgConnection,
    candidates: &[Candidate<'_>],
    bundled: &mut [Bundled],
) -> Result<(), Error> {
    let firsts: Vec<_> = bundled
        .iter()
        .filter_map(|(_, first)| first.map(|id| id.0))
        .collect();
    if firsts.is_empty() {
        return Ok(());
    }
    let known = sqlx::query!(
        r#"select coalesce(bundle_id, id) as "id!", order_id from notifications
           where id = any($1) or bundle_id = any($1)"#,
        &firsts,
    );
    let known = known.fetch_all(tx).await?.into_iter();
    let mut known: HashSet<_> = known.map(|row| (row.id, row.order_id)).collect();
    for (candidate, (channels, first)) in candidates.iter().zip(bundled) {
        let id = first.unwrap_or(candidate.id);
        let is_new = known.insert((id.0, candidate.draft.order_id.0));
        if !is_new {
            (*channels, *first) = (candidate.channels.only_in_app(), None);
        }
    }
    Ok(())
}

/// Begins those of the occasions that have not begun within their time. Returns the notification of each.
async fn begin(
    tx: &mut PgConnection,
    candidates: &[Candidate<'_>],
    occasions: &[(usize, Occasion, Duration)],
    now: OffsetDateTime,
) -> Result<HashMap<Occasion, NotificationId>, Error> {
    let checkouts: Vec<_> = occasions.iter().map(|(_, (it, ..), _)| *it).collect();
    let restaurants: Vec<_> = occasions.iter().map(|(_, (_, it, ..), _)| *it).collect();
    let users: Vec<_> = occasions.iter().map(|(_, (.., it, _), _)| *it).collect();
    let sentences = occasions.iter().map(|(_, (.., it), _)| it.clone());
    let sentences: Vec<_> = sentences.collect();
    let times: Vec<_> = occasions.iter().map(|(n, ..)| candidates[*n].at).collect();
    let ids: Vec<_> = occasions
        .iter()
        .map(|(n, ..)| candidates[*n].id.0)
        .collect();
    let windows = occasions.iter().map(|(.., it)| it.as_seconds_f64());
    let windows: Vec<_> = windows.collect();
    // A row that stays as it is gets locked, too, and is read after that.
    sqlx::query!(
        "insert into occasions as o (checkout_id, restaurant_id, user_id, topic, since, notification_id, begun_at)
         select checkout_id, restaurant_id, user_id, topic, since, notification_id, $8
         from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::uuid[])
             as n (checkout_id, restaurant_id, user_id, topic, since, notification_id)
         order by 1, 2, 3, 4
         on conflict (checkout_id, restaurant_id, user_id, topic) do update
             set since = excluded.since, notification_id = excluded.notification_id, begun_at = excluded.begun_at
             where o.since <= excluded.since - (
                 select make_interval(secs => w.seconds)
                 from unnest($6::uuid[], $7::float8[]) as w (id, seconds) where w.id = excluded.notification_id)",
        &checkouts,
        &restaurants,
        &users,
        &sentences,
        &times,
        &ids,
        &windows,
        now,
    )
    .execute(&mut *tx)
    .await?;
    let rows = sqlx::query!(
        r#"select o.checkout_id, o.restaurant_id, o.user_id, o.topic, o.notification_id as "notification_id!"
           from occasions o
           join unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) as n (checkout_id, restaurant_id, user_id, topic)
               using (checkout_id, restaurant_id, user_id, topic)
           where o.notification_id is not null"#,
        &checkouts,
        &restaurants,
        &users,
        &sentences,
    )
    .fetch_all(tx)
    .await?;
    let firsts = rows.into_iter().map(|row| {
        let occasion = (row.checkout_id, row.restaurant_id, row.user_id, row.topic);
        (occasion, NotificationId(row.notification_id))
    });
    Ok(firsts.collect())
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
             select checkout_id, restaurant_id, user_id, topic from occasions where since < $1 and begun_at < $1
             order by since limit 10000 for update skip locked
         )",
        now - KEPT_FOR
    )
    .execute(pool)
    .await?;
    Ok(())
}
