//! The worker that sends the mail of notifications.

use std::{
    collections::{HashMap, HashSet},
    pin::pin,
    time::Duration as StdDuration,
};

use futures_util::{StreamExt, stream};
use tiffin_chassis::{
    mail::MailError,
    repeat::{COMMIT_PAUSE, repeat_or_notified},
};
use tiffin_events::{
    NotificationId, UserId,
    notification::{Channel, NotificationTopic},
};
use time::Duration;
use tokio_util::sync::CancellationToken;

use crate::{
    Error, State,
    bundle::Bundle,
    mail,
    notification::Notification,
    store::{
        self,
        accounts::{self, Account},
        bundles,
        mail_queue::{self, DueMail},
        preferences,
    },
};

/// The interval between looks for mail that is due when the worker isn't woken.
const POLL_INTERVAL: StdDuration = StdDuration::from_secs(5);
/// The number of mails that are sent at the same time.
pub(crate) const CONCURRENCY: usize = 8;
/// The number of mails that are taken from the queue at once.
const BATCH_SIZE: usize = 16;
/// The time after which the result of a mail is recorded without waiting for more results.
const RESULTS_WITHIN: StdDuration = StdDuration::from_millis(100);
/// The seconds between one attempt and the next. After the last attempt the mail has failed.
const RETRY_DELAYS: [i64; 6] = [1, 5, 30, 120, 600, 3600];

/// The result of one attempt.
enum Outcome {
    Sent,
    /// A sentence without names.
    Failed(String),
    Retry(String),
}

/// Sends mail that is due until `shutdown`.
pub(crate) async fn run(state: &State, shutdown: &CancellationToken) {
    let woken = (&*state.mail_waits, COMMIT_PAUSE);
    repeat_or_notified(POLL_INTERVAL, woken, shutdown, || async {
        if let Err(error) = send_due(state).await {
            tracing::warn!(%error, "the mail queue can't be read; trying again");
        }
    })
    .await;
}

/// Tries every mail that is due once, and returns the number that was sent. Several are sent at a time, so
/// that a slow server holds up few others.
pub async fn send_due(state: &State) -> Result<usize, Error> {
    let mut sent = 0;
    loop {
        let taken =
            mail_queue::claim(&state.pool, &state.mailer, state.clock.now(), BATCH_SIZE).await?;
        if taken.is_empty() {
            return Ok(sent);
        }
        sent += send_all(state, taken).await?;
    }
}

/// Sends mails, and records the results of those that are done at about the same time together.
async fn send_all(state: &State, taken: Vec<DueMail>) -> Result<usize, Error> {
    let data = MailData::of(state, &taken).await?;
    let outcomes = stream::iter(taken)
        .map(|due| async {
            let outcome = send(state, &due.notification, &data).await;
            (due, outcome)
        })
        .buffer_unordered(CONCURRENCY);
    let together = tokio_stream::StreamExt::chunks_timeout(outcomes, BATCH_SIZE, RESULTS_WITHIN);
    let mut together = pin!(together);
    let mut sent = 0;
    while let Some(done) = together.next().await {
        sent += record(state, done).await?;
    }
    Ok(sent)
}

/// The data for the mails of some notifications.
struct MailData {
    accounts: HashMap<UserId, Account>,
    second_contacts: HashMap<UserId, String>,
    bundles: HashMap<NotificationId, Bundle>,
    /// Those whose ticket has more orders than they are about.
    incomplete: HashSet<NotificationId>,
}

impl MailData {
    async fn of(state: &State, taken: &[DueMail]) -> Result<Self, Error> {
        let users = || taken.iter().map(|due| due.notification.user);
        let ids = taken.iter().map(|due| due.notification.id);
        let notifications = taken.iter().map(|due| due.notification.clone());
        let mut tx = tiffin_database::begin(&state.pool).await?;
        let accounts = accounts::find_all(&mut tx, users()).await?;
        let second_contacts = preferences::second_contacts(&mut tx, users()).await?;
        let bundles = bundles::with_orders(&mut tx, notifications.collect()).await?;
        let incomplete = bundles::incomplete(&mut tx, ids).await?;
        tx.commit().await?;
        Ok(Self {
            accounts,
            second_contacts,
            bundles: bundles
                .into_iter()
                .map(|bundle| (bundle.notification.id, bundle))
                .collect(),
            incomplete: incomplete.into_iter().map(NotificationId).collect(),
        })
    }

    /// The reader of a notification: the account, or its second contact, who has no name here.
    fn reader(&self, notification: &Notification) -> Result<Account, Outcome> {
        let user = &notification.user;
        let Some(account) = self.accounts.get(user).cloned() else {
            return Err(Outcome::Retry("The reader is not known yet.".to_owned()));
        };
        if notification.topic != NotificationTopic::OrderWaitingContact {
            return Ok(account);
        }
        match self.second_contacts.get(user) {
            Some(address) => Ok(Account {
                email: address.clone(),
                first_name: String::new(),
                ..account
            }),
            None => Err(Outcome::Failed(
                "There is no second contact any more.".to_owned(),
            )),
        }
    }
}

async fn send(state: &State, notification: &Notification, data: &MailData) -> Outcome {
    let reader = match data.reader(notification) {
        Ok(reader) => reader,
        Err(outcome) => return outcome,
    };
    let Some(bundle) = data.bundles.get(&notification.id) else {
        return Outcome::Failed("The notification is gone.".to_owned());
    };
    let mail = mail::write(
        bundle,
        &reader,
        data.incomplete.contains(&notification.id),
        state.site.as_deref(),
        state.clock.now(),
    );
    let mail = match mail {
        Ok(mail) => mail,
        Err(reason) => return Outcome::Failed(reason.to_string()),
    };
    // The server's answer may name the reader, so it goes to the log and not into an event.
    match state.mailer.send(mail).await {
        Ok(()) => Outcome::Sent,
        Err(MailError::Permanent(reason)) => {
            tracing::warn!(notification = %notification.id, reason, "a mail was refused");
            Outcome::Failed(
                "The mail server refused it, or did not say that it took it.".to_owned(),
            )
        }
        Err(MailError::Temporary(reason)) => {
            tracing::debug!(notification = %notification.id, reason, "a mail has to wait");
            Outcome::Retry("The mail server did not take it.".to_owned())
        }
    }
}

/// Records results in one transaction, and returns the number of mails that were sent.
async fn record(state: &State, done: Vec<(DueMail, Outcome)>) -> Result<usize, Error> {
    let mut failed = HashMap::new();
    let mut ids = Vec::with_capacity(done.len());
    let mut tx = tiffin_database::begin(&state.pool).await?;
    for (due, outcome) in done {
        let id = due.notification.id;
        match outcome {
            Outcome::Sent => {}
            Outcome::Failed(reason) => {
                failed.insert(id, reason);
            }
            Outcome::Retry(reason) => {
                if let Some(pause) = retry_delay(due.attempt) {
                    let attempt = due.attempt;
                    tracing::warn!(notification = %id, attempt, reason, "a mail was not sent");
                    mail_queue::postpone(&mut tx, id, state.clock.now() + pause).await?;
                    continue;
                }
                failed.insert(id, reason);
            }
        }
        ids.push(id);
    }
    let transition = |notification: &mut Notification| match failed.get(&notification.id) {
        Some(reason) => notification.failed(Channel::Mail, reason),
        None => notification.sent(Channel::Mail),
    };
    store::change_all(&mut tx, &state.recorder, &ids, transition).await?;
    tx.commit().await?;
    Ok(ids.len() - failed.len())
}

pub(crate) fn retry_delay(attempt: i32) -> Option<Duration> {
    let nth = usize::try_from(attempt - 1).ok()?;
    RETRY_DELAYS.get(nth).copied().map(Duration::seconds)
}
