//! The worker that sends notifications to the push services of their readers' browsers.

use std::{collections::BTreeMap, time::Duration as StdDuration};

use futures_util::future::try_join_all;
use serde::Serialize;
use tiffin_chassis::repeat::{COMMIT_PAUSE, repeat_or_notified};
use tiffin_events::{DeliveryId, NotificationId, OrderId};
use tokio_util::sync::CancellationToken;

use crate::{
    Error, State,
    mail::{self, NoMail},
    mailer::retry_delay,
    push::PushOutcome,
    store::{
        self, accounts, bundles,
        pushes::{self, DuePush},
        subscriptions,
    },
    text,
};

/// The interval between looks for messages that are due when the worker isn't woken.
const POLL_INTERVAL: StdDuration = StdDuration::from_secs(5);
/// The number of messages that are sent at the same time.
const CONCURRENCY: usize = 8;

/// The content of a message to a browser.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    title: String,
    body: String,
    /// The tag: a browser shows two messages with the same tag once.
    tag: NotificationId,
    /// The path of the page that it opens, on the site where the browser subscribed.
    url: String,
    order_id: OrderId,
    #[serde(skip_serializing_if = "Option::is_none")]
    delivery_id: Option<DeliveryId>,
    /// The codes of title and body, for a browser with another language.
    title_code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    body_code: Option<&'static str>,
    /// The name of the restaurant, which goes below the body.
    #[serde(skip_serializing_if = "Option::is_none")]
    restaurant: Option<String>,
    /// The values in title and body.
    params: BTreeMap<&'static str, String>,
}

/// Sends messages that are due until `shutdown`.
pub(crate) async fn run(state: &State, shutdown: &CancellationToken) {
    let woken = (&*state.push_waits, COMMIT_PAUSE);
    repeat_or_notified(POLL_INTERVAL, woken, shutdown, || async {
        if let Err(error) = push_due(state).await {
            tracing::warn!(%error, "the push queue can't be read; trying again");
        }
    })
    .await;
}

/// Tries every message that is due once, and returns the number that push services took.
pub async fn push_due(state: &State) -> Result<usize, Error> {
    let mut taken = 0;
    loop {
        let due = pushes::claim(&state.pool, state.clock.now(), CONCURRENCY).await?;
        if due.is_empty() {
            return Ok(taken);
        }
        taken += try_join_all(due.into_iter().map(|due| push_one(state, due)))
            .await?
            .into_iter()
            .filter(|was_accepted| *was_accepted)
            .count();
    }
}

/// Sends one message. True if the push service took it.
async fn push_one(state: &State, due: DuePush) -> Result<bool, Error> {
    let outcome = match send(state, &due).await? {
        PushOutcome::Retry(reason) => match retry_delay(due.attempt) {
            Some(pause) => {
                let (notification, attempt) = (due.notification, due.attempt);
                tracing::warn!(%notification, attempt, reason, "a push was not sent");
                pushes::postpone(&state.pool, &due, state.clock.now() + pause).await?;
                return Ok(false);
            }
            None => PushOutcome::Rejected(reason),
        },
        outcome => outcome,
    };
    let was_accepted = outcome == PushOutcome::Accepted;
    finish(state, &due, outcome).await?;
    Ok(was_accepted)
}

async fn send(state: &State, due: &DuePush) -> Result<PushOutcome, Error> {
    let mut conn = state.pool.acquire().await?;
    let notification = store::find(&mut conn, due.notification).await?;
    let readers = accounts::find_all(&mut conn, [notification.user]).await?;
    let bundles = bundles::with_orders(&mut conn, vec![notification.clone()]).await?;
    drop(conn);
    let Some(bundle) = bundles.first() else {
        return Ok(PushOutcome::Rejected("The notification is gone."));
    };
    let Some(reader) = readers.get(&notification.user) else {
        return Ok(PushOutcome::Retry("The reader is not known yet."));
    };
    match mail::check(reader) {
        Err(NoMail::Blocked) => return Ok(PushOutcome::Rejected("The account is blocked.")),
        Err(_) => return Ok(PushOutcome::Rejected("The account is gone.")),
        Ok(()) => {}
    }
    let order = || BTreeMap::from([("order", bundle.order())]);
    let (body_code, params) = match bundle.coded() {
        Some(coded) => (Some(coded.code), coded.params),
        None => (None, order()),
    };
    let message = Message {
        title_code: text::title_code(notification.topic),
        body_code,
        params,
        title: mail::subject(bundle),
        body: bundle.text(),
        restaurant: bundle.restaurant().map(str::to_owned),
        tag: notification.id,
        url: mail::page(&notification, reader.role),
        order_id: notification.order_id,
        delivery_id: notification.delivery_id,
    };
    let message = serde_json::to_vec(&message)?;
    let (key, now) = (state.push_key().await?, state.clock.now());
    let id = notification.id.0;
    Ok(state.push.send(key, &due.browser, id, &message, now).await)
}

async fn finish(state: &State, due: &DuePush, outcome: PushOutcome) -> Result<(), Error> {
    let mut tx = tiffin_database::begin(&state.pool).await?;
    match outcome {
        PushOutcome::Accepted => pushes::sent(&mut tx, &state.recorder, due).await?,
        PushOutcome::Rejected(reason) | PushOutcome::Retry(reason) => {
            pushes::failed(&mut tx, &state.recorder, due, reason).await?;
        }
        PushOutcome::Expired => {
            tracing::info!(subscription = %due.subscription, "a push subscription has ended and is removed");
            subscriptions::remove(&mut tx, &state.recorder, due.subscription).await?;
        }
    }
    tx.commit().await?;
    Ok(())
}
