//! Events that failed more than once. They leave the broker, which delivers only so many events before it
//! wants acknowledgements, and wait in `bus.blocked` for their next try. Their aggregates wait with
//! them, and no other.

use std::{
    f64::consts::GOLDEN_RATIO,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use tokio::time::{Instant, interval_at};
use tokio_util::sync::CancellationToken;
use tracing::debug;

use crate::{
    Broker, Consumer,
    consume::{
        blocked::{self, SettleError},
        received::StoredMessage,
        settle,
    },
};

/// The interval of polls for events that are due.
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// Events that are tried at once.
const MAX_DUE: usize = 100;
/// The time that other processes leave an event to the one that tries it.
const CLAIM_TIME: Duration = Duration::from_mins(1);

/// Tries what is due again, every few seconds, until `shutdown`.
pub(crate) async fn run(consumer: &Consumer, broker: &Broker, shutdown: &CancellationToken) {
    let mut poll = interval_at(Instant::now() + first_poll(), POLL_INTERVAL);
    let mut is_new = true;
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return,
            _ = poll.tick() => {}
        }
        // This process may know the types that the one before did not.
        if std::mem::take(&mut is_new)
            && let Err(error) = make_unknown_due(consumer).await
        {
            debug!(consumer = consumer.name, %error, "events of unknown types can't be tried at once; they wait for their next try");
        }
        loop {
            match retry_due(consumer, broker, shutdown).await {
                Ok(tried) if tried == MAX_DUE => {}
                Ok(_) => break,
                Err(error) => {
                    debug!(consumer = consumer.name, %error, "failed events can't be tried again; the next poll does");
                    break;
                }
            }
        }
    }
}

/// The time until a consumer's first poll. Multiples of the golden ratio spread the consumers of a process evenly,
/// however many there are, so that those of a service seldom poll at the same moment, each with a connection.
fn first_poll() -> Duration {
    static BEGUN: AtomicU32 = AtomicU32::new(0);
    let number = f64::from(BEGUN.fetch_add(1, Ordering::Relaxed) + 1);
    POLL_INTERVAL.mul_f64((number * GOLDEN_RATIO).fract())
}

/// Makes events due that failed only because their type was unknown.
async fn make_unknown_due(consumer: &Consumer) -> sqlx::Result<()> {
    sqlx::query!(
        "update bus.blocked set retry_at = $2
         where consumer = $1 and retry_at > $2 and tries = 0",
        consumer.name,
        consumer.clock().now(),
    )
    .execute(&consumer.pool)
    .await?;
    Ok(())
}

/// Tries the events that are due. Returns how many there were.
async fn retry_due(
    consumer: &Consumer,
    broker: &Broker,
    shutdown: &CancellationToken,
) -> Result<usize, SettleError> {
    let now = consumer.clock().now();
    // Claimed for a while: of two processes one tries, and if it dies the other does.
    let due = sqlx::query!(
        r#"update bus.blocked b set retry_at = $2
         where (consumer, aggregate) in (
             select consumer, aggregate from bus.blocked
             where consumer = $1 and retry_at <= $3
             order by retry_at limit $4 for update skip locked
         )
         returning stream_sequence, tries"#,
        consumer.name,
        now + CLAIM_TIME,
        now,
        i64::try_from(MAX_DUE).unwrap_or(i64::MAX),
    )
    .fetch_all(&consumer.pool)
    .await?;
    let tried = due.len();
    for event in due {
        if shutdown.is_cancelled() {
            break;
        }
        let sequence = u64::try_from(event.stream_sequence).unwrap_or_default();
        retry_one(consumer, broker, sequence, event.tries).await?;
    }
    Ok(tried)
}

async fn retry_one(
    consumer: &Consumer,
    broker: &Broker,
    sequence: u64,
    tries: i32,
) -> Result<(), SettleError> {
    let Some(message) = StoredMessage::at(broker, consumer.stream, sequence).await? else {
        // Erased meanwhile: the aggregate goes on without it.
        return settle::discard(consumer, broker, sequence).await;
    };
    let message = StoredMessage {
        attempts: i64::from(tries) + 1,
        ..message
    };
    let event = message.read()?.open(&broker.keys).await?;
    match settle::deliver(consumer, broker, &event).await {
        // An operator may have settled it another way.
        Ok(settle::Delivered::Duplicate) => settle::unblock(consumer, broker, sequence).await,
        Ok(_) => Ok(()),
        Err(SettleError::Handler(failure)) => {
            blocked::put_aside(consumer, broker, &message, failure, tries).await
        }
        Err(error) => Err(error),
    }
}
