//! Notifications that were requested before their events came.

use std::collections::{HashMap, HashSet};

use sqlx::PgConnection;
use tiffin_events::{OrderId, UserId, notification::NotificationTopic};
use uuid::Uuid;

use super::topic_name;
use crate::{Error, drafts::Draft};

/// A notification that may have been requested before its event came.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    order: OrderId,
    user: UserId,
    topic: NotificationTopic,
    source: Uuid,
}

impl Request {
    pub fn of(draft: &Draft, source: Uuid) -> Self {
        Self {
            order: draft.order_id,
            user: draft.user,
            topic: draft.topic,
            source,
        }
    }
}

/// Assigns notifications that were requested before their events came to those events. Returns the requests
/// that were found.
pub async fn claim(tx: &mut PgConnection, requests: &[Request]) -> Result<HashSet<Request>, Error> {
    // A notification belongs to the first event that it may be of.
    let mut first = HashMap::new();
    for request in requests {
        let key = (request.order, request.user, request.topic);
        first.entry(key).or_insert(request);
    }
    if first.is_empty() {
        return Ok(HashSet::new());
    }
    let first: Vec<&Request> = first.into_values().collect();
    let orders: Vec<_> = first.iter().map(|it| it.order.0).collect();
    let users: Vec<_> = first.iter().map(|it| it.user.0).collect();
    let topics = first.iter().map(|it| topic_name(it.topic));
    let topics = topics.collect::<Result<Vec<_>, _>>()?;
    let sources: Vec<_> = first.iter().map(|it| it.source).collect();
    let claimed = sqlx::query!(
        r#"update notifications n set source_id = r.source
         from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[]) r (order_id, user_id, topic, source)
         where n.order_id = r.order_id and n.user_id = r.user_id and n.topic = r.topic
           and n.source_id = n.order_id
         returning n.user_id, n.topic, n.source_id"#,
        &orders,
        &users,
        &topics,
        &sources,
    );
    let claimed = claimed.fetch_all(tx).await?.into_iter();
    let claimed: HashSet<_> = claimed
        .map(|row| (row.user_id, row.topic, row.source_id))
        .collect();
    let found = first.into_iter().zip(topics).filter(|(request, topic)| {
        claimed.contains(&(request.user.0, topic.clone(), request.source))
    });
    Ok(found.map(|(request, _)| request.clone()).collect())
}

/// Those of the requests whose notifications were made before, as in a replay.
pub async fn made(tx: &mut PgConnection, requests: &[Request]) -> Result<HashSet<Request>, Error> {
    let users: Vec<_> = requests.iter().map(|it| it.user.0).collect();
    let topics = requests.iter().map(|it| topic_name(it.topic));
    let topics = topics.collect::<Result<Vec<_>, _>>()?;
    let sources: Vec<_> = requests.iter().map(|it| it.source).collect();
    let made = sqlx::query!(
        "select n.user_id, n.topic, n.source_id
         from notifications n
         join unnest($1::uuid[], $2::text[], $3::uuid[]) r (user_id, topic, source_id)
             using (user_id, topic, source_id)",
        &users,
        &topics,
        &sources,
    );
    let made = made.fetch_all(tx).await?.into_iter();
    let made: HashSet<_> = made
        .map(|row| (row.user_id, row.topic, row.source_id))
        .collect();
    let found = requests
        .iter()
        .zip(topics)
        .filter(|(request, topic)| made.contains(&(request.user.0, topic.clone(), request.source)));
    Ok(found.map(|(request, _)| request.clone()).collect())
}
