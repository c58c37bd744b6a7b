use sqlx::PgConnection;
use tiffin_bus::{Cause, Received};
use tiffin_events::{Clock, NotificationId};

use crate::{
    Error,
    drafts::Draft,
    notification::{Channels, Notification},
    store::{
        creation::{self, Created},
        occasions, preferences,
        requests::{self, Request},
    },
};

/// Creates one notification for each reader of each event, for the channels that reach them. The orders are
/// locked.
pub(super) async fn create(
    tx: &mut PgConnection,
    clock: &Clock,
    drafts: Vec<(&Received, Vec<Draft>)>,
) -> Result<(), Error> {
    let mut pending = Vec::with_capacity(drafts.len());
    for (received, drafts) in drafts {
        pending.extend(drafts.into_iter().map(|draft| (received, draft)));
    }
    let requests: Vec<Request> = pending
        .iter()
        .map(|(received, draft)| Request::of(draft, received.envelope.id))
        .collect();
    let claimed = requests::claim(tx, &requests).await?;
    let mut is_claimed = requests.iter().map(|request| claimed.contains(request));
    pending.retain(|_| !is_claimed.next().unwrap_or_default());

    let users = pending.iter().map(|(_, draft)| draft.user);
    let preferences = preferences::channels_of(tx, users).await?;
    let now = clock.now();
    let mut candidates = Vec::with_capacity(pending.len());
    for (received, draft) in &pending {
        let at = received.envelope.time;
        let preferences = preferences.get(&draft.user).copied().unwrap_or_default();
        let channels = Channels::due(preferences, at, now, received.replay.is_some());
        candidates.push((draft, at, channels));
    }
    let channels = occasions::bundle(tx, &candidates).await?;

    let mut created = Vec::with_capacity(pending.len());
    for ((received, draft), channels) in pending.into_iter().zip(channels) {
        let envelope = &received.envelope;
        // An id contains the time of its event, so that lists have the order in which the events happened.
        let id = NotificationId(Clock::manual(envelope.time).new_id());
        let (notification, event) =
            Notification::make(id, draft, envelope.time, Some(envelope.id), channels);
        created.push(Created {
            live: received.replay.is_none() && notification.is_fresh(now),
            cause: Cause::event(envelope),
            notification,
            event,
        });
    }
    creation::insert(tx, clock, &created).await?;
    Ok(())
}
