//! New notifications, many at once.

use std::collections::HashSet;

use serde::Serialize;
use sqlx::PgConnection;
use tiffin_bus::{Cause, Outgoing, Recorder, outbox};
use tiffin_events::{NotificationId, notification::NotificationEvent};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{bundles, pushes, topic_name};
use crate::{
    Error,
    notification::{ChannelState, Notification},
};

/// A notification with the event of its creation.
pub struct Created {
    pub notification: Notification,
    pub event: NotificationEvent,
    pub cause: Cause,
    /// True if the reader's open browsers get it at once.
    pub live: bool,
    /// True if mail and push wait a moment for the ticket's other orders.
    pub waits: bool,
}

/// The longest time for which mail and push wait for the ticket's other orders, whose events are on their way.
const WAIT: Duration = Duration::seconds(3);

/// Inserts notifications, once for each reader, topic and source event, and without a text if the reader's account is
/// closed. Returns those that are new.
pub async fn insert(
    tx: &mut PgConnection,
    recorder: &Recorder,
    created: &[Created],
) -> Result<HashSet<NotificationId>, Error> {
    if created.is_empty() {
        return Ok(HashSet::new());
    }
    let readers: Vec<_> = created.iter().map(|it| it.notification.user.0).collect();
    tiffin_database::keep_from_erasure(tx, &readers).await?;
    let now = recorder.clock.now();
    let rows = created.iter().map(|it| NewRow::of(it, now));
    let rows = serde_json::to_value(rows.collect::<Result<Vec<_>, _>>()?)?;
    let inserted = sqlx::query_scalar!(
        "insert into notifications (id, version, user_id, topic, text, order_id, order_code, delivery_id,
            happened_at, source_id, mail, mail_due_at, push, in_app, bundle_id)
         select r.id, version, user_id, topic, case when p.deleted then '' else text end, order_id, order_code,
            delivery_id, happened_at, source_id, mail, case when mail = 'waiting' then due_at end, push, in_app,
            bundle_id
         from jsonb_to_recordset($1)
            as r (id uuid, version bigint, user_id uuid, topic text, text text, order_id uuid, order_code text,
                  delivery_id uuid, happened_at timestamptz, source_id uuid, mail text, push text, in_app boolean,
                  bundle_id uuid, due_at timestamptz)
         left join people p on p.id = r.user_id
         order by user_id, topic, source_id
         on conflict (user_id, topic, source_id) do nothing
         returning id",
        rows,
    );
    let inserted = inserted.fetch_all(&mut *tx).await?;
    let inserted: HashSet<_> = inserted.into_iter().map(NotificationId).collect();
    let mut pushed = Vec::new();
    let mut grown = Vec::new();
    let mut joined = Vec::new();
    let mut outgoing = Vec::with_capacity(inserted.len());
    for Created {
        notification,
        event,
        cause,
        live,
        waits,
    } in created
    {
        if !inserted.contains(&notification.id) {
            continue;
        }
        if notification.channels.push == ChannelState::Waiting {
            pushed.push((notification, due_at(now, *waits)));
        }
        grown.push(notification.bundle.unwrap_or(notification.id).0);
        joined.extend(notification.bundle.filter(|_| *live).map(|id| id.0));
        let row = Outgoing::event(
            recorder,
            cause,
            notification.id.0,
            notification.sequence,
            event,
        )
        .await?;
        outgoing.push(row.hint(live.then_some(notification.user)));
    }
    pushes::add(tx, &pushed).await?;
    bundles::release(tx, &grown, now).await?;
    bundles::unread(tx, &joined).await?;
    outbox::append(tx, &outgoing).await?;
    Ok(inserted)
}

/// A row of a new notification.
#[derive(Serialize)]
struct NewRow<'a> {
    id: Uuid,
    version: i64,
    user_id: Uuid,
    topic: String,
    text: &'a str,
    order_id: Uuid,
    order_code: &'a str,
    delivery_id: Option<Uuid>,
    #[serde(with = "time::serde::rfc3339")]
    happened_at: OffsetDateTime,
    source_id: Uuid,
    mail: &'static str,
    push: &'static str,
    in_app: bool,
    bundle_id: Option<Uuid>,
    #[serde(with = "time::serde::rfc3339")]
    due_at: OffsetDateTime,
}

fn due_at(now: OffsetDateTime, waits: bool) -> OffsetDateTime {
    if waits { now + WAIT } else { now }
}

impl<'a> NewRow<'a> {
    fn of(created: &'a Created, now: OffsetDateTime) -> Result<Self, Error> {
        let notification = &created.notification;
        let order_id = notification.order_id.0;
        Ok(Self {
            id: notification.id.0,
            version: notification.sequence,
            user_id: notification.user.0,
            topic: topic_name(notification.topic)?,
            text: &notification.text,
            order_id,
            order_code: &notification.order_code,
            delivery_id: notification.delivery_id.map(|id| id.0),
            happened_at: notification.at,
            // The order's id replaces the event's id until the event comes.
            source_id: notification.source.unwrap_or(order_id),
            mail: notification.channels.mail.as_str(),
            push: notification.channels.push.as_str(),
            in_app: notification.channels.in_app,
            bundle_id: notification.bundle.map(|id| id.0),
            due_at: due_at(now, created.waits),
        })
    }
}
