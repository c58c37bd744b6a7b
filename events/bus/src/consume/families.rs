//! The families of events that a consumer takes of its stream, across releases. A durable that begins to
//! take another family continues from where it is, so earlier events of that family would never come. They
//! are read from the stream and handed over, each aggregate's in order, before the durable takes over. The
//! families are kept in the database and never become fewer than any release needs, so that processes of
//! two releases configure the same durable. An event that a process does not know waits for one that does.

use std::time::Duration;

use async_nats::jetstream::{
    consumer::Config as ConsumerConfig, context::ConsumerInfoErrorKind, stream::Stream as Handle,
};
use tiffin_events::Stream;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use crate::{
    Broker, BrokerError, Consumer,
    broker::in_sql,
    consume::{
        blocked::{self, SettleError},
        pull_error::PullError,
        received::{StoredMessage, Unread},
        settle,
        stream_reader::{self, StreamReader},
    },
};

/// Events that are read at once.
const BATCH: usize = 500;
/// The pause after the broker or the database failed.
const RETRY_PAUSE: Duration = Duration::from_secs(2);

/// Records this release's families and returns those that the durable is to take.
pub(crate) async fn filter(consumer: &Consumer, handle: &Handle) -> Result<Vec<String>, PullError> {
    let known = sqlx::query_scalar!(
        "select family from bus.families where consumer = $1",
        consumer.name
    )
    .fetch_all(&consumer.pool)
    .await?;
    let is_new = |family: &&String| !known.contains(family);
    let new: Vec<String> = consumer.subjects.iter().filter(is_new).cloned().collect();
    if !new.is_empty() {
        let durable = durable_families(consumer, handle).await?;
        let behind = match &durable {
            Some(taken) if known.is_empty() => {
                let is_taken = |family: &String| taken.is_empty() || taken.contains(family);
                let (taken, behind): (Vec<_>, Vec<_>) = new.into_iter().partition(is_taken);
                insert(consumer, &taken, Progress::Taken).await?;
                behind
            }
            Some(_) => new,
            // Without a durable, all comes from the stream's first event on. What is archived is read from there.
            None => {
                let progress = Progress::of_new(consumer.stream, handle);
                insert(consumer, &new, progress).await?;
                Vec::new()
            }
        };
        insert(consumer, &behind, Progress::Behind).await?;
    }
    let filter = sqlx::query_scalar!(
        "select family from bus.families where consumer = $1 and widened order by family",
        consumer.name
    )
    .fetch_all(&consumer.pool)
    .await?;
    Ok(filter)
}

/// The families that the broker's durable takes, empty for all; `None` if there is no durable.
async fn durable_families(
    consumer: &Consumer,
    handle: &Handle,
) -> Result<Option<Vec<String>>, BrokerError> {
    match handle.consumer_info(&consumer.name).await {
        Ok(info) => Ok(Some(subjects(&info.config))),
        Err(error) if error.kind() == ConsumerInfoErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn subjects(config: &ConsumerConfig) -> Vec<String> {
    let one = Some(&config.filter_subject).filter(|one| !one.is_empty());
    let all = config.filter_subjects.iter();
    all.chain(one).cloned().collect()
}

/// The progress of a consumer with a family that it records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// Its durable delivers all of it.
    Taken,
    /// Its durable delivers what the stream holds; the history before it is archived.
    BehindArchive,
    /// Its durable does not take it yet.
    Behind,
}

impl Progress {
    /// The progress with all families of a consumer without a durable.
    fn of_new(stream: Stream, handle: &Handle) -> Self {
        if stream.is_archived() && handle.cached_info().state.first_sequence > 1 {
            Self::BehindArchive
        } else {
            Self::Taken
        }
    }
}

async fn insert(consumer: &Consumer, families: &[String], progress: Progress) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into bus.families (consumer, family, caught_up_to, widened)
         select $1, family, $3, $4 from unnest($2::text[]) as f (family)
         on conflict do nothing",
        consumer.name,
        families,
        (progress != Progress::Taken).then_some(0),
        progress != Progress::Behind,
    )
    .execute(&consumer.pool)
    .await?;
    Ok(())
}

/// Hands over the history of families that were added later, until none is left or `shutdown`. `widened` has the
/// durable made again.
pub(crate) async fn catch_up(
    consumer: &Consumer,
    broker: &Broker,
    widened: &Notify,
    shutdown: &CancellationToken,
) {
    let mut is_reported = false;
    loop {
        let done = tokio::select! {
            () = shutdown.cancelled() => return,
            done = catch_up_once(consumer, broker, widened) => done,
        };
        match done {
            Ok(true) => return,
            Err(error) if !is_reported => {
                warn!(consumer = consumer.name, %error, "the history of a new family can't be read; trying again");
                is_reported = true;
            }
            Ok(false) | Err(_) => {}
        }
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(RETRY_PAUSE) => {}
        }
    }
}

/// Hands over the history there is. Returns whether all of it is handed over and the durable delivers the rest.
async fn catch_up_once(
    consumer: &Consumer,
    broker: &Broker,
    widened: &Notify,
) -> Result<bool, SettleError> {
    let recorded = sqlx::query_scalar!(
        r#"select count(*) as "count!" from bus.families where consumer = $1 and family = any ($2)"#,
        consumer.name,
        &consumer.subjects,
    )
    .fetch_one(&consumer.pool)
    .await?;
    let behind = sqlx::query!(
        r#"select family, caught_up_to as "caught_up_to!", widened from bus.families
         where consumer = $1 and family = any ($2) and caught_up_to is not null"#,
        consumer.name,
        &consumer.subjects,
    )
    .fetch_all(&consumer.pool)
    .await?;
    let handle = broker
        .jetstream
        .get_stream(consumer.stream.name())
        .await
        .map_err(BrokerError::from)?;
    for row in &behind {
        // A durable that has it takes all that is stored from now on.
        let durable = durable_families(consumer, &handle)
            .await?
            .unwrap_or_default();
        let is_taken = row.widened && durable.contains(&row.family);
        let last = stream_reader::last(broker, consumer.stream).await?;
        let from = u64::try_from(row.caught_up_to).unwrap_or_default();
        deliver_range(consumer, broker, &row.family, (from + 1, last)).await?;
        if is_taken {
            sqlx::query!(
                "update bus.families set caught_up_to = null where consumer = $1 and family = $2",
                consumer.name,
                row.family,
            )
            .execute(&consumer.pool)
            .await?;
            info!(
                consumer = consumer.name,
                row.family, "the history of a new family was handed over"
            );
        } else {
            sqlx::query!(
                "update bus.families set widened = true where consumer = $1 and family = $2",
                consumer.name,
                row.family,
            )
            .execute(&consumer.pool)
            .await?;
            widened.notify_one();
        }
    }
    let is_all = usize::try_from(recorded).unwrap_or_default() >= consumer.subjects.len();
    Ok(is_all && behind.is_empty())
}

/// Hands over a family's events of a part of the stream, in order.
async fn deliver_range(
    consumer: &Consumer,
    broker: &Broker,
    family: &str,
    (from, to): (u64, u64),
) -> Result<(), SettleError> {
    if from > to {
        return Ok(());
    }
    let subjects = [family.to_owned()];
    let mut reader =
        StreamReader::open(broker, consumer.stream, &subjects, (from, to), BATCH).await?;
    loop {
        let batch = reader.next(BATCH).await?;
        let end = batch.last().map_or(to, |last| last.stream_sequence);
        for message in &batch {
            deliver_or_put_aside(consumer, broker, message).await?;
        }
        sqlx::query!(
            "update bus.families set caught_up_to = $3 where consumer = $1 and family = $2",
            consumer.name,
            family,
            in_sql(end),
        )
        .execute(&consumer.pool)
        .await?;
        if batch.is_empty() {
            return Ok(());
        }
    }
}

/// Delivers one event, or puts it aside as the consumer's loop would.
async fn deliver_or_put_aside(
    consumer: &Consumer,
    broker: &Broker,
    message: &StoredMessage,
) -> Result<(), SettleError> {
    let read = match message.read() {
        Ok(event) => event.open(&broker.keys).await,
        Err(error) => Err(error.into()),
    };
    let event = match read {
        Ok(event) => event,
        Err(Unread::Keys(error)) => return Err(crate::Failure::from(error).into()),
        Err(Unread::Malformed(error)) => {
            let reason = error.to_string();
            return blocked::dead_letter(consumer, broker, message, &reason).await;
        }
    };
    match settle::deliver(consumer, broker, &event).await {
        Ok(_) => Ok(()),
        Err(SettleError::Handler(failure)) => {
            blocked::put_aside(consumer, broker, message, failure, 0).await
        }
        Err(error) => Err(error),
    }
}
