use sqlx::PgConnection;
use tiffin_bus::{Cause, Received};
use tiffin_events::{Clock, NotificationId, delivery::DeliveryEvent};

use crate::{
    Error,
    news::{self, News},
    notification::{Notification, Ways},
    store::{self, occasions, orders, preferences},
};

/// Tells what a delivery's event has to tell.
pub(super) async fn of_delivery(
    tx: &mut PgConnection,
    clock: &Clock,
    received: &Received,
    event: &DeliveryEvent,
) -> Result<(), Error> {
    tell(tx, clock, received, news::of_delivery(event)).await
}

/// Tells it, each reader once, by the ways that reach them.
pub(super) async fn tell(
    tx: &mut PgConnection,
    clock: &Clock,
    received: &Received,
    all: Vec<News>,
) -> Result<(), Error> {
    let envelope = &received.envelope;
    let cause = Cause::event(envelope);
    // An id carries the time of what it tells of, so that lists run in the order in which things happened.
    let then = Clock::manual(envelope.time);
    for news in all {
        orders::hold(tx, news.order_id).await?;
        if store::claim(tx, news.order_id, news.user, news.topic, envelope.id).await? {
            continue;
        }
        let wishes = preferences::reaching(tx, news.user).await?;
        let replayed = received.replay.is_some();
        let ways = Ways::due(wishes, envelope.time, clock.now(), replayed);
        let ways = occasions::once(tx, &news, envelope.time, ways).await?;
        let id = NotificationId(then.new_id());
        let (made, event) = Notification::make(id, news, envelope.time, Some(envelope.id), ways);
        let live = !replayed && made.is_news(clock.now());
        store::insert(tx, clock, &cause, &made, event, live).await?;
    }
    Ok(())
}
