//! The push queue: notifications on their way to browsers.

use sqlx::{PgConnection, PgPool};
use tiffin_bus::Recorder;
use tiffin_events::{
    NotificationId,
    notification::{Channel, NotificationEvent},
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{Error, notification::Notification, push::Browser};

/// The time after which another worker takes a message. The time-out of a push service is a quarter of it.
const LEASE: Duration = Duration::minutes(1);

/// One message to one browser.
#[derive(Clone, Debug)]
pub struct DuePush {
    pub notification: NotificationId,
    pub subscription: Uuid,
    pub browser: Browser,
    /// The number of this attempt.
    pub attempt: i32,
}

/// Puts notifications into the queue for every browser of their readers, each with the time at which it is due.
pub async fn add(
    tx: &mut PgConnection,
    notifications: &[(&Notification, OffsetDateTime)],
) -> Result<(), Error> {
    if notifications.is_empty() {
        return Ok(());
    }
    let ids: Vec<_> = notifications.iter().map(|(it, _)| it.id.0).collect();
    let users: Vec<_> = notifications.iter().map(|(it, _)| it.user.0).collect();
    let times: Vec<_> = notifications.iter().map(|(_, due_at)| *due_at).collect();
    sqlx::query!(
        "insert into pushes (notification_id, subscription_id, due_at)
         select n.id, s.id, n.due_at from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) n (id, user_id, due_at)
         join subscriptions s on s.user_id = n.user_id",
        &ids,
        &users,
        &times,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Claims the messages that have waited longest. No transaction is open while they are sent.
pub async fn claim(pool: &PgPool, now: OffsetDateTime, most: usize) -> Result<Vec<DuePush>, Error> {
    let rows = sqlx::query!(
        "update pushes p set attempts = attempts + 1, due_at = $2
         from subscriptions s
         where (p.notification_id, p.subscription_id) in (
            select notification_id, subscription_id from pushes where due_at <= $1
            order by due_at limit $3 for update skip locked
         ) and s.id = p.subscription_id
         returning p.notification_id, p.subscription_id, p.attempts, s.endpoint, s.p256dh, s.auth",
        now,
        now + LEASE,
        i64::try_from(most).unwrap_or(i64::MAX),
    );
    let rows = rows.fetch_all(pool).await?.into_iter();
    Ok(rows
        .map(|row| DuePush {
            notification: NotificationId(row.notification_id),
            subscription: row.subscription_id,
            browser: Browser {
                endpoint: row.endpoint,
                p256dh: row.p256dh,
                auth: row.auth,
            },
            attempt: row.attempts,
        })
        .collect())
}

/// Postpones a message to its next attempt.
pub async fn postpone(pool: &PgPool, due: &DuePush, until: OffsetDateTime) -> Result<(), Error> {
    sqlx::query!(
        "update pushes set due_at = $3 where notification_id = $1 and subscription_id = $2",
        due.notification.0,
        due.subscription,
        until,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Records that a push service took a message.
pub async fn sent(tx: &mut PgConnection, recorder: &Recorder, due: &DuePush) -> Result<(), Error> {
    finish(tx, due).await?;
    change(tx, recorder, due.notification, |notification| {
        notification.sent(Channel::Push)
    })
    .await
}

/// Records that a message can't be sent. `reason` contains no names.
pub async fn failed(
    tx: &mut PgConnection,
    recorder: &Recorder,
    due: &DuePush,
    reason: &str,
) -> Result<(), Error> {
    finish(tx, due).await?;
    fail_if_done(tx, recorder, due.notification.0, reason).await
}

/// Takes a message off the queue. Its notification stays locked until the transaction ends, so that of two
/// messages that finish at the same time one sees that it is the last.
async fn finish(tx: &mut PgConnection, due: &DuePush) -> Result<(), Error> {
    lock(tx, due.notification.0).await?;
    sqlx::query!(
        "delete from pushes where notification_id = $1 and subscription_id = $2",
        due.notification.0,
        due.subscription,
    )
    .execute(&mut *tx)
    .await?;
    Ok(())
}

/// Takes all messages to a browser off the queue.
pub(super) async fn delete_of_subscription(
    tx: &mut PgConnection,
    recorder: &Recorder,
    subscription: Uuid,
) -> Result<(), Error> {
    let waiting = sqlx::query_scalar!(
        "select notification_id from pushes where subscription_id = $1 order by notification_id",
        subscription,
    );
    let waiting = waiting.fetch_all(&mut *tx).await?;
    for notification in &waiting {
        lock(tx, *notification).await?;
    }
    sqlx::query!(
        "delete from pushes where subscription_id = $1",
        subscription
    )
    .execute(&mut *tx)
    .await?;
    for notification in waiting {
        fail_if_done(tx, recorder, notification, "The browser takes no more.").await?;
    }
    Ok(())
}

async fn lock(tx: &mut PgConnection, notification: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "select id from notifications where id = $1 for update",
        notification
    )
    .fetch_optional(tx)
    .await?;
    Ok(())
}

/// Records that push has failed once no message is left in the queue, unless a browser was reached.
async fn fail_if_done(
    tx: &mut PgConnection,
    recorder: &Recorder,
    notification: Uuid,
    reason: &str,
) -> Result<(), Error> {
    let is_done = sqlx::query_scalar!(
        r#"select not exists (select from pushes where notification_id = $1) as "done!""#,
        notification,
    );
    if !is_done.fetch_one(&mut *tx).await? {
        return Ok(());
    }
    change(tx, recorder, NotificationId(notification), |notification| {
        notification.failed(Channel::Push, reason)
    })
    .await
}

async fn change(
    tx: &mut PgConnection,
    recorder: &Recorder,
    id: NotificationId,
    transition: impl FnOnce(&mut Notification) -> Vec<NotificationEvent>,
) -> Result<(), Error> {
    let cause = super::cause(&super::find(tx, id).await?);
    let transition = |notification: &mut Notification| Ok(transition(notification));
    tiffin_bus::change(tx, recorder, &cause, id, transition).await?;
    Ok(())
}
