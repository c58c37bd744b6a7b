use sqlx::PgConnection;
use tiffin_bus::{Cause, Decoded, Received, Recorder};
use tiffin_events::{Clock, NotificationId, notification::NotificationTopic::OrderWaitingContact};

use crate::{
    Error, State,
    drafts::Draft,
    notification::{Channels, Notification},
    store::{
        creation::{self, Created},
        occasions::{self, Candidate},
        orders, preferences,
        requests::{self, Request},
    },
};

/// Creates the notifications of events of which the service keeps nothing else.
pub(super) async fn create_alone<E>(
    state: &State,
    tx: &mut PgConnection,
    events: &[Decoded<'_, E>],
    drafts_of: impl Fn(&E) -> Vec<Draft>,
) -> Result<(), Error> {
    let by_event: Vec<_> = events
        .iter()
        .map(|(received, event)| (*received, drafts_of(event)))
        .collect();
    let drafts = by_event.iter().flat_map(|(_, drafts)| drafts);
    orders::lock(tx, drafts.map(|draft| draft.order_id)).await?;
    create(tx, &state.recorder, by_event).await?;
    state.wake();
    Ok(())
}

/// Creates one notification for each reader of each event, for the channels that reach them. The orders are
/// locked.
pub(super) async fn create(
    tx: &mut PgConnection,
    recorder: &Recorder,
    drafts: Vec<(&Received, Vec<Draft>)>,
) -> Result<(), Error> {
    let clock = &recorder.clock;
    let mut pending = Vec::with_capacity(drafts.len());
    for (received, drafts) in drafts {
        pending.extend(drafts.into_iter().map(|draft| (received, draft)));
    }
    let owners = pending.iter().map(|(_, draft)| draft.user);
    let contacts = preferences::second_contacts(tx, owners).await?;
    pending.retain(|(_, draft)| {
        draft.topic != OrderWaitingContact || contacts.contains_key(&draft.user)
    });
    let requests: Vec<Request> = pending
        .iter()
        .map(|(received, draft)| Request::of(draft, received.envelope.id))
        .collect();
    let mut done = requests::claim(tx, &requests).await?;
    done.extend(requests::made(tx, &requests).await?);
    let mut is_done = requests.iter().map(|request| done.contains(request));
    pending.retain(|_| !is_done.next().unwrap_or_default());

    let users = pending.iter().map(|(_, draft)| draft.user);
    let preferences = preferences::channels_of(tx, users).await?;
    let now = clock.now();
    let mut candidates = Vec::with_capacity(pending.len());
    for (received, draft) in &pending {
        let at = received.envelope.time;
        let preferences = preferences.get(&draft.user).copied().unwrap_or_default();
        let is_replayed = received.replay.is_some();
        let channels = if draft.topic == OrderWaitingContact {
            Channels::only_mail(at, now, is_replayed)
        } else {
            Channels::due(preferences, at, now, is_replayed)
        };
        // An id contains the time of its event, so that lists have the order in which the events happened.
        let id = NotificationId(Clock::manual(at).new_id());
        candidates.push(Candidate {
            id,
            draft,
            at,
            channels,
        });
    }
    let bundled = occasions::bundle(tx, &candidates, now).await?;
    let ids: Vec<_> = candidates.iter().map(|candidate| candidate.id).collect();

    let mut created = Vec::with_capacity(pending.len());
    for (((received, draft), id), (channels, bundle)) in pending.into_iter().zip(ids).zip(bundled) {
        let envelope = &received.envelope;
        let waits = draft.window.is_some();
        let (mut notification, event) =
            Notification::make(id, draft, envelope.time, Some(envelope.id), channels);
        notification.bundle = bundle;
        created.push(Created {
            live: received.replay.is_none() && notification.is_fresh(now),
            cause: Cause::event(envelope),
            notification,
            event,
            waits,
        });
    }
    creation::insert(tx, recorder, &created).await?;
    Ok(())
}
