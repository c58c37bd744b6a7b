use sqlx::PgConnection;
use tiffin_bus::{Cause, Received};
use tiffin_events::{Clock, NotificationId};

use crate::{
    Error,
    drafts::Draft,
    notification::{Notification, Ways},
    store::{self, occasions, orders, preferences},
};

/// Creates one notification for each reader, for the channels that reach them.
pub(super) async fn create(
    tx: &mut PgConnection,
    clock: &Clock,
    received: &Received,
    drafts: Vec<Draft>,
) -> Result<(), Error> {
    let envelope = &received.envelope;
    let cause = Cause::event(envelope);
    // An id contains the time of its event, so that lists have the order in which the events happened.
    let then = Clock::manual(envelope.time);
    for draft in drafts {
        orders::hold(tx, draft.order_id).await?;
        if store::claim(tx, draft.order_id, draft.user, draft.topic, envelope.id).await? {
            continue;
        }
        let wishes = preferences::reaching(tx, draft.user).await?;
        let replayed = received.replay.is_some();
        let ways = Ways::due(wishes, envelope.time, clock.now(), replayed);
        let ways = occasions::once(tx, &draft, envelope.time, ways).await?;
        let id = NotificationId(then.new_id());
        let (made, event) = Notification::make(id, draft, envelope.time, Some(envelope.id), ways);
        let live = !replayed && made.is_news(clock.now());
        store::insert(tx, clock, &cause, &made, event, live).await?;
    }
    Ok(())
}
