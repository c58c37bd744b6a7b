//! Notifications in the database. [`tiffin_bus::change`] changes them, with their events.

pub mod accounts;
pub mod bundles;
pub mod creation;
pub mod keys;
pub mod mail_queue;
pub mod occasions;
pub mod orders;
pub mod personal;
pub mod preferences;
pub mod pushes;
pub mod requests;
pub mod restaurants;
pub mod subscriptions;

use std::slice;

use sqlx::PgConnection;
use tiffin_bus::{Aggregate, Cause, Recorder, StoredAggregate, outbox};
use tiffin_events::{
    DeliveryId, NotificationId, OrderId, UserId,
    notification::{NotificationEvent, NotificationTopic},
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    Error, NAME,
    error::Refusal,
    notification::{ChannelState, Channels, Notification},
};

/// Changes notifications, each with the transition that `transition` makes, in a few statements. Those that are
/// gone are left out.
pub async fn change_all(
    tx: &mut PgConnection,
    recorder: &Recorder,
    ids: &[NotificationId],
    mut transition: impl FnMut(&mut Notification) -> Vec<NotificationEvent>,
) -> Result<(), Error> {
    let mut changed = Vec::with_capacity(ids.len());
    let mut outgoing = Vec::with_capacity(ids.len());
    for before in lock_all(tx, ids).await? {
        let mut after = before.clone();
        let events = transition(&mut after);
        if events.is_empty() {
            continue;
        }
        after.sequence += i64::try_from(events.len()).unwrap_or(i64::MAX);
        let cause = cause(&after);
        let before = Some(&before);
        outgoing.extend(tiffin_bus::outgoing(tx, recorder, &cause, before, &after, &events).await?);
        changed.push(after);
    }
    save_all(tx, &changed).await?;
    outbox::append(tx, &outgoing).await?;
    Ok(())
}

/// Reads notifications and locks them until the transaction ends.
async fn lock_all(
    tx: &mut PgConnection,
    ids: &[NotificationId],
) -> Result<Vec<Notification>, Error> {
    let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
    // Always in the same order, so that none waits for another in a circle.
    let rows = sqlx::query_as!(
        NotificationRow,
        "select id, version, user_id, topic, text, order_id, order_code, delivery_id, read, happened_at, source_id, mail, push, in_app, bundle_id
         from notifications where id = any ($1) order by id for update",
        &ids,
    );
    let rows = rows.fetch_all(tx).await?;
    rows.into_iter().map(Notification::try_from).collect()
}

async fn save_all(tx: &mut PgConnection, notifications: &[Notification]) -> Result<(), Error> {
    if notifications.is_empty() {
        return Ok(());
    }
    let ids: Vec<_> = notifications.iter().map(|it| it.id.0).collect();
    let sequences: Vec<_> = notifications.iter().map(|it| it.sequence).collect();
    let read: Vec<_> = notifications.iter().map(|it| it.read).collect();
    let mail = notifications
        .iter()
        .map(|it| it.channels.mail.as_str().to_owned());
    let mail: Vec<_> = mail.collect();
    let push = notifications
        .iter()
        .map(|it| it.channels.push.as_str().to_owned());
    let push: Vec<_> = push.collect();
    sqlx::query!(
        "update notifications n set version = s.version, read = s.read, mail = s.mail, push = s.push,
            mail_due_at = case when s.mail = 'waiting' then mail_due_at end
         from unnest($1::uuid[], $2::bigint[], $3::boolean[], $4::text[], $5::text[])
            s (id, version, read, mail, push)
         where n.id = s.id",
        &ids,
        &sequences,
        &read,
        &mail,
        &push,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes the texts for a reader whose account is closed.
pub async fn forget_texts(tx: &mut PgConnection, UserId(reader): UserId) -> sqlx::Result<()> {
    sqlx::query!(
        "update notifications set text = '' where user_id = $1 and text <> ''",
        reader
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The cause of sending a notification or of failing to: this service, after the event that it reports.
pub fn cause(notification: &Notification) -> Cause {
    Cause {
        causation: notification.source,
        ..Cause::service(NAME).about(notification.order_id.0)
    }
}

/// Marks as read, sent and failed change no open page by their events.
impl Aggregate for Notification {
    type Event = NotificationEvent;
    type Error = Error;

    fn id(&self) -> Uuid {
        self.id.0
    }

    fn version(&self) -> i64 {
        self.sequence
    }

    fn concerned(&self, _event: &NotificationEvent) -> Vec<UserId> {
        Vec::new()
    }
}

impl StoredAggregate for Notification {
    type Key = NotificationId;
    type Refusal = Error;

    fn version_mut(&mut self) -> &mut i64 {
        &mut self.sequence
    }

    async fn lock(tx: &mut PgConnection, id: NotificationId) -> Result<Self, Error> {
        let found = lock_all(tx, &[id]).await?.pop();
        Ok(found.ok_or(Refusal::Unknown)?)
    }

    async fn save(&self, tx: &mut PgConnection, _before: &Self) -> Result<(), Error> {
        save_all(tx, slice::from_ref(self)).await
    }
}

/// Reads a notification.
pub async fn find(tx: &mut PgConnection, id: NotificationId) -> Result<Notification, Error> {
    let row = sqlx::query_as!(
        NotificationRow,
        "select id, version, user_id, topic, text, order_id, order_code, delivery_id, read, happened_at, source_id, mail, push, in_app, bundle_id
         from notifications where id = $1",
        id.0,
    );
    row.fetch_optional(tx)
        .await?
        .ok_or(Refusal::Unknown)?
        .try_into()
}

/// A user's notifications, newest first.
pub async fn list(
    tx: &mut PgConnection,
    user: UserId,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Vec<Notification>, Error> {
    let rows = sqlx::query_as!(
        NotificationRow,
        "select id, version, user_id, topic, text, order_id, order_code, delivery_id, read, happened_at, source_id, mail, push, in_app, bundle_id
         from notifications where user_id = $1 and in_app and ($2::uuid is null or id < $2) order by id desc limit $3",
        user.0,
        before,
        limit,
    );
    rows.fetch_all(tx)
        .await?
        .into_iter()
        .map(Notification::try_from)
        .collect()
}

/// The number of unread notifications in a user's list.
pub async fn count_unread(tx: &mut PgConnection, user: UserId) -> Result<i64, Error> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from notifications where user_id = $1 and in_app and not read"#,
        user.0,
    );
    Ok(count.fetch_one(tx).await?)
}

/// Marks all of a user's notifications as read, without an event ([`Notification::mark_read`]). Returns the
/// number that was unread.
pub async fn read_all(tx: &mut PgConnection, user: UserId) -> Result<u64, Error> {
    let read = sqlx::query!(
        "update notifications set read = true where user_id = $1 and in_app and not read",
        user.0
    );
    Ok(read.execute(tx).await?.rows_affected())
}

/// True if a notification belongs to the user.
pub async fn is_of(tx: &mut PgConnection, id: NotificationId, user: UserId) -> Result<bool, Error> {
    let found = sqlx::query_scalar!(
        r#"select exists (select from notifications where id = $1 and user_id = $2) as "found!""#,
        id.0,
        user.0,
    );
    Ok(found.fetch_one(tx).await?)
}

/// The newest of a user's notifications about an order with one topic.
pub async fn find_newest(
    tx: &mut PgConnection,
    order: OrderId,
    user: UserId,
    topic: NotificationTopic,
) -> Result<Option<Notification>, Error> {
    let row = sqlx::query_as!(
        NotificationRow,
        "select id, version, user_id, topic, text, order_id, order_code, delivery_id, read, happened_at, source_id, mail, push, in_app, bundle_id
         from notifications where order_id = $1 and user_id = $2 and topic = $3 order by id desc limit 1",
        order.0,
        user.0,
        topic_name(topic)?,
    );
    row.fetch_optional(tx)
        .await?
        .map(Notification::try_from)
        .transpose()
}

pub(crate) struct NotificationRow {
    id: Uuid,
    version: i64,
    user_id: Uuid,
    topic: String,
    text: String,
    order_id: Uuid,
    order_code: String,
    delivery_id: Option<Uuid>,
    read: bool,
    happened_at: OffsetDateTime,
    source_id: Uuid,
    mail: String,
    push: String,
    in_app: bool,
    bundle_id: Option<Uuid>,
}

impl TryFrom<NotificationRow> for Notification {
    type Error = Error;

    fn try_from(row: NotificationRow) -> Result<Self, Error> {
        Ok(Self {
            id: NotificationId(row.id),
            sequence: row.version,
            user: UserId(row.user_id),
            topic: serde_json::from_value(row.topic.into())?,
            text: row.text,
            order_id: OrderId(row.order_id),
            order_code: row.order_code,
            delivery_id: row.delivery_id.map(DeliveryId),
            read: row.read,
            at: row.happened_at,
            source: (row.source_id != row.order_id).then_some(row.source_id),
            bundle: row.bundle_id.map(NotificationId),
            channels: Channels {
                mail: ChannelState::parse(&row.mail).ok_or(Error::Unreadable(row.mail))?,
                push: ChannelState::parse(&row.push).ok_or(Error::Unreadable(row.push))?,
                in_app: row.in_app,
            },
        })
    }
}

/// The stored name of a topic, which is also its name in JSON.
fn topic_name(topic: NotificationTopic) -> Result<String, Error> {
    match serde_json::to_value(topic)? {
        serde_json::Value::String(name) => Ok(name),
        other => Err(Error::Unreadable(other.to_string())),
    }
}
