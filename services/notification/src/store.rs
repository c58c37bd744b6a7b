//! Notifications in the database. [`tiffin_bus::change`] changes them, with their events.

pub mod keys;
pub mod occasions;
pub mod orders;
pub mod people;
pub mod preferences;
pub mod pushes;
pub mod queue;
pub mod subscriptions;

use sqlx::PgConnection;
use tiffin_bus::{Aggregate, Cause, Outgoing, Stored, outbox};
use tiffin_events::{
    Clock, DeliveryId, NotificationId, OrderId, UserId,
    notification::{NotificationEvent, NotificationTopic},
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    Error, NAME,
    error::Refusal,
    notification::{Notification, Progress, Ways},
};

/// Inserts a notification, once for each source event: false if it exists. With `live`, the reader's open
/// browsers get it at once.
pub async fn insert(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    made: &Notification,
    event: NotificationEvent,
    live: bool,
) -> Result<bool, Error> {
    let waits = made.ways.mail == Progress::Waiting;
    let inserted = sqlx::query!(
        "insert into notifications (id, version, user_id, topic, text, order_id, order_code, delivery_id,
            happened_at, source_id, mail, mail_due_at, push, in_app)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
         on conflict (user_id, topic, source_id) do nothing",
        made.id.0,
        made.version,
        made.user.0,
        topic_name(made.topic)?,
        made.text,
        made.order_id.0,
        made.order_code,
        made.delivery_id.map(|id| id.0),
        made.at,
        // The order's id replaces the event's id until the event comes.
        made.source.unwrap_or(made.order_id.0),
        made.ways.mail.as_str(),
        waits.then(|| clock.now()),
        made.ways.push.as_str(),
        made.ways.in_app,
    )
    .execute(&mut *tx)
    .await?;
    if inserted.rows_affected() == 0 {
        return Ok(false);
    }
    if made.ways.push == Progress::Waiting {
        pushes::add(tx, made.id, made.user, clock.now()).await?;
    }
    let outgoing = Outgoing::event(clock, cause, made.id.0, made.version, &event)?;
    let outgoing = if live {
        outgoing.hint([made.user])
    } else {
        outgoing
    };
    outbox::append(tx, &[outgoing]).await?;
    Ok(true)
}

/// Assigns a notification that was requested before its event came to that event. True if there is one.
pub async fn claim(
    tx: &mut PgConnection,
    order: OrderId,
    user: UserId,
    topic: NotificationTopic,
    source: Uuid,
) -> Result<bool, Error> {
    let claimed = sqlx::query!(
        "update notifications set source_id = $4
         where order_id = $1 and user_id = $2 and topic = $3 and source_id = order_id",
        order.0,
        user.0,
        topic_name(topic)?,
        source,
    );
    Ok(claimed.execute(tx).await?.rows_affected() > 0)
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
        self.version
    }

    fn concerned(&self, _event: &NotificationEvent) -> Vec<UserId> {
        Vec::new()
    }
}

impl Stored for Notification {
    type Key = NotificationId;
    type Refusal = Error;

    fn version_mut(&mut self) -> &mut i64 {
        &mut self.version
    }

    async fn lock(tx: &mut PgConnection, id: NotificationId) -> Result<Self, Error> {
        let row = sqlx::query_as!(
            Row,
            "select id, version, user_id, topic, text, order_id, order_code, delivery_id, read, happened_at, source_id, mail, push, in_app
         from notifications where id = $1 for update",
            id.0,
        );
        Self::try_from(row.fetch_optional(tx).await?.ok_or(Refusal::Unknown)?)
    }

    async fn save(&self, tx: &mut PgConnection, _before: &Self) -> Result<(), Error> {
        sqlx::query!(
            "update notifications set version = $2, read = $3, mail = $4, push = $5,
            mail_due_at = case when $4 = 'waiting' then mail_due_at end
         where id = $1",
            self.id.0,
            self.version,
            self.read,
            self.ways.mail.as_str(),
            self.ways.push.as_str(),
        )
        .execute(tx)
        .await?;
        Ok(())
    }
}

/// Reads a notification.
pub async fn find(tx: &mut PgConnection, id: NotificationId) -> Result<Notification, Error> {
    let row = sqlx::query_as!(
        Row,
        "select id, version, user_id, topic, text, order_id, order_code, delivery_id, read, happened_at, source_id, mail, push, in_app
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
        Row,
        "select id, version, user_id, topic, text, order_id, order_code, delivery_id, read, happened_at, source_id, mail, push, in_app
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
pub async fn unread(tx: &mut PgConnection, user: UserId) -> Result<i64, Error> {
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
pub async fn newest(
    tx: &mut PgConnection,
    order: OrderId,
    user: UserId,
    topic: NotificationTopic,
) -> Result<Option<Notification>, Error> {
    let row = sqlx::query_as!(
        Row,
        "select id, version, user_id, topic, text, order_id, order_code, delivery_id, read, happened_at, source_id, mail, push, in_app
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

pub(crate) struct Row {
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
}

impl TryFrom<Row> for Notification {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: NotificationId(row.id),
            version: row.version,
            user: UserId(row.user_id),
            topic: serde_json::from_value(row.topic.into())?,
            text: row.text,
            order_id: OrderId(row.order_id),
            order_code: row.order_code,
            delivery_id: row.delivery_id.map(DeliveryId),
            read: row.read,
            at: row.happened_at,
            source: (row.source_id != row.order_id).then_some(row.source_id),
            ways: Ways {
                mail: Progress::parse(&row.mail).ok_or(Error::Stored(row.mail))?,
                push: Progress::parse(&row.push).ok_or(Error::Stored(row.push))?,
                in_app: row.in_app,
            },
        })
    }
}

/// The stored name of a topic, which is also its name in JSON.
fn topic_name(topic: NotificationTopic) -> Result<String, Error> {
    match serde_json::to_value(topic)? {
        serde_json::Value::String(name) => Ok(name),
        other => Err(Error::Stored(other.to_string())),
    }
}
