//! New notifications, many at once.

use std::collections::HashSet;

use serde::Serialize;
use sqlx::PgConnection;
use tiffin_bus::{Cause, Outgoing, Recorder, outbox};
use tiffin_events::{NotificationId, notification::NotificationEvent};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{pushes, topic_name};
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
}

/// Inserts notifications, once for each reader, topic and source event, and without a text if the reader's account is
/// closed. Returns those that are new.
pub async fn insert(
    tx: &mut PgConnection,
    recorder: &Recorder,
    created: &[Created],
) -> Result<HashSet<NotificationId>, Error> {
    let clock = &recorder.clock;
    if created.is_empty() {
        return Ok(HashSet::new());
    }
    let readers: Vec<_> = created.iter().map(|it| it.notification.user.0).collect();
    tiffin_database::keep_from_erasure(tx, &readers).await?;
    let rows = created.iter().map(|it| NewRow::of(&it.notification));
    let rows = serde_json::to_value(rows.collect::<Result<Vec<_>, _>>()?)?;
    let inserted = sqlx::query_scalar!(
        "insert into notifications (id, version, user_id, topic, text, order_id, order_code, delivery_id,
            happened_at, source_id, mail, mail_due_at, push, in_app)
         select r.id, version, user_id, topic, case when p.deleted then '' else text end, order_id, order_code,
            delivery_id, happened_at, source_id, mail, case when mail = 'waiting' then $2::timestamptz end, push, in_app
         from jsonb_to_recordset($1)
            as r (id uuid, version bigint, user_id uuid, topic text, text text, order_id uuid, order_code text,
                  delivery_id uuid, happened_at timestamptz, source_id uuid, mail text, push text, in_app boolean)
         left join people p on p.id = r.user_id
         order by user_id, topic, source_id
         on conflict (user_id, topic, source_id) do nothing
         returning id",
        rows,
        clock.now(),
    );
    let inserted = inserted.fetch_all(&mut *tx).await?;
    let inserted: HashSet<_> = inserted.into_iter().map(NotificationId).collect();
    let mut pushed = Vec::new();
    let mut outgoing = Vec::with_capacity(inserted.len());
    for Created {
        notification,
        event,
        cause,
        live,
    } in created
    {
        if !inserted.contains(&notification.id) {
            continue;
        }
        if notification.channels.push == ChannelState::Waiting {
            pushed.push(notification);
        }
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
    pushes::add(tx, &pushed, clock.now()).await?;
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
}

impl<'a> NewRow<'a> {
    fn of(notification: &'a Notification) -> Result<Self, Error> {
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
        })
    }
}
