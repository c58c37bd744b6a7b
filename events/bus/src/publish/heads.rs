//! Stream heads: how much of its streams a database knows. Only one service publishes to a stream. A
//! message beyond the head was therefore published by another state of that database: one that was lost
//! when a backup was restored, or when a standby without the last commits took over. A stream that ends
//! before the head has lost events. In both cases two histories would grow where there must be one, so
//! nothing is published there until an operator has decided.
//!
//! Each publication names the stream's last sequence (`Nats-Expected-Last-Sequence`), and the broker
//! refuses the batch if it is another one. This covers the last sequence of every aggregate of the stream
//! at once. `Nats-Expected-Last-Subject-Sequence` would cover one aggregate and need a look-up of each
//! predecessor.

mod own_messages;

use std::collections::HashMap;

use async_nats::jetstream::context::GetStreamErrorKind;
use metrics::gauge;
use sqlx::{PgExecutor, PgPool};
use tiffin_events::{Stream, subject};
use tracing::{error, info};
use uuid::Uuid;

use crate::{Broker, BrokerError, broker::in_sql};

/// A stream as a database knows it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Head {
    /// The last stream sequence that it knows.
    pub sequence: u64,
    /// True if nothing is published there until an operator decides.
    pub is_stopped: bool,
}

/// The result of comparing a stream with its outbox.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// The database has every event of the stream.
    Same {
        /// Rows that the stream has and that were not marked, by their id, with their stream sequences.
        unmarked: Vec<(i64, u64)>,
        last: u64,
    },
    /// There is no such stream.
    NoStream,
    /// They differ, in words for the operator.
    Differs(String),
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum HeadsError {
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("broker: {0}")]
    Broker(#[from] BrokerError),
}

/// The stream of history that a row's subject belongs to; `None` for entries of buckets and the like.
pub(crate) fn stream_of(row: &str) -> Option<Stream> {
    let family = subject::family(row);
    Stream::ALL
        .into_iter()
        .filter(|stream| stream.is_history())
        .find(|stream| {
            let mut subjects = stream.subjects().iter();
            subjects.any(|subject| subject::family(subject) == family)
        })
}

/// The families of subjects that a stream takes: `tiffin.order`.
pub(crate) fn families_of(stream: Stream) -> impl Iterator<Item = &'static str> {
    stream.subjects().iter().map(|one| subject::family(one))
}

pub(crate) async fn all(database: impl PgExecutor<'_>) -> sqlx::Result<HashMap<Stream, Head>> {
    let rows = sqlx::query!(
        r#"select stream, stream_sequence, trouble is not null as "is_stopped!" from bus.heads"#
    )
    .fetch_all(database)
    .await?;
    let heads = rows.into_iter().filter_map(|row| {
        let head = Head {
            sequence: u64::try_from(row.stream_sequence).unwrap_or_default(),
            is_stopped: row.is_stopped,
        };
        Some((row.stream.parse().ok()?, head))
    });
    Ok(heads.collect())
}

/// Compares a stream with the outbox, from the last stream sequence that the database knows.
pub(crate) async fn compare(
    pool: &PgPool,
    broker: &Broker,
    stream: Stream,
    known: u64,
) -> Result<Comparison, HeadsError> {
    let last = match broker.jetstream.get_stream(stream.name()).await {
        Ok(found) => found.cached_info().state.last_sequence,
        Err(error) => match error.kind() {
            GetStreamErrorKind::JetStream(error) if error.code() == 404 => {
                return Ok(Comparison::NoStream);
            }
            _ => return Err(BrokerError::from(error).into()),
        },
    };
    if last < known {
        return Ok(Comparison::Differs(format!(
            "{stream} ends at {last}, and the outbox has published up to {known}: the broker has lost \
             events. `tiffin events republish --from-outbox` gives them back"
        )));
    }
    if last == known {
        let unmarked = Vec::new();
        return Ok(Comparison::Same { unmarked, last });
    }
    let found = own_messages::read(broker, stream, known + 1, last).await?;
    let ids: Vec<Uuid> = found.values().filter_map(|id| *id).collect();
    let rows = sqlx::query!(
        r#"select id, event_id, published_at is null as "waits!" from bus.outbox
         where event_id = any ($1)"#,
        &ids,
    )
    .fetch_all(pool)
    .await?;
    let rows: HashMap<Uuid, (i64, bool)> = rows
        .into_iter()
        .map(|row| (row.event_id, (row.id, row.waits)))
        .collect();
    let row_of = |id: &Option<Uuid>| id.as_ref().and_then(|id| rows.get(id));
    let mut strange = found.iter().filter(|(_, id)| row_of(id).is_none());
    if let Some((first, _)) = strange.next() {
        let others = strange.count();
        return Ok(Comparison::Differs(format!(
            "{stream} holds events that this database has not made, at {first} and at {others} others up \
             to {last}: it was put back to an earlier moment. What it has done since contradicts them. \
             `tiffin relay accept` has it publish after them; what contradicts them becomes a dead letter"
        )));
    }
    let unmarked = found
        .iter()
        .filter_map(|(sequence, id)| Some((row_of(id)?, *sequence)))
        .filter(|((_, waits), _)| *waits)
        .map(|((id, _), sequence)| (*id, sequence))
        .collect();
    Ok(Comparison::Same { unmarked, last })
}

/// Records a stream as known up to a stream sequence.
pub(crate) async fn set_known(pool: &PgPool, stream: Stream, last: u64) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into bus.heads (stream, stream_sequence) values ($1, $2)
         on conflict (stream) do update set stream_sequence = excluded.stream_sequence",
        stream.name(),
        in_sql(last),
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Stops publishing to a stream until an operator decides.
pub(crate) async fn stop(
    pool: &PgPool,
    broker: &Broker,
    service: &'static str,
    stream: Stream,
    trouble: &str,
) -> Result<(), HeadsError> {
    error!(service, %stream, trouble, "nothing is published to the stream until an operator decides");
    let found = broker.jetstream.get_stream(stream.name()).await;
    let last = found.map_or(0, |found| found.cached_info().state.last_sequence);
    sqlx::query!(
        "insert into bus.heads (stream, stream_sequence, trouble, found_sequence, found_at)
         values ($1, 0, $2, $3, now())
         on conflict (stream) do update set trouble = excluded.trouble,
             found_sequence = excluded.found_sequence, found_at = excluded.found_at",
        stream.name(),
        trouble,
        in_sql(last),
    )
    .execute(pool)
    .await?;
    gauge!("tiffin_relay_stopped", "service" => service, "stream" => stream.name()).set(1);
    Ok(())
}

/// Reports to the metrics which streams nothing is published to.
pub(crate) async fn measure(
    database: impl PgExecutor<'_>,
    service: &'static str,
) -> sqlx::Result<()> {
    for (stream, head) in all(database).await? {
        let is_stopped = u8::from(head.is_stopped);
        gauge!("tiffin_relay_stopped", "service" => service, "stream" => stream.name())
            .set(is_stopped);
    }
    Ok(())
}

/// The reason why a service publishes nothing to some stream, as a sentence for operators.
pub async fn trouble(pool: &PgPool) -> sqlx::Result<Option<String>> {
    let all = sqlx::query_scalar!(
        r#"select trouble as "trouble!" from bus.heads where trouble is not null order by stream"#
    )
    .fetch_all(pool)
    .await?;
    Ok((!all.is_empty()).then(|| all.join("; ")))
}

/// Accepts the streams that nothing is published to as they are: the outbox is published after the last message that
/// they had when they were found to differ. Returns the streams.
pub async fn accept(pool: &PgPool) -> sqlx::Result<Vec<String>> {
    let accepted = sqlx::query_scalar!(
        "update bus.heads
         set stream_sequence = coalesce(found_sequence, stream_sequence), trouble = null,
             found_sequence = null, found_at = null
         where trouble is not null returning stream"
    )
    .fetch_all(pool)
    .await?;
    if !accepted.is_empty() {
        sqlx::query!("select pg_notify('outbox', '')")
            .execute(pool)
            .await?;
        info!(
            streams = accepted.join(", "),
            "an operator accepted the streams as they are; the relay publishes to them again"
        );
    }
    Ok(accepted)
}

/// Lowers the head of a stream to its end: what it lost is published again from the outbox.
pub(crate) async fn lower(pool: &PgPool, stream: Stream, last: u64) -> sqlx::Result<()> {
    sqlx::query!(
        "update bus.heads
         set stream_sequence = $2, trouble = null, found_sequence = null, found_at = null
         where stream = $1 and stream_sequence > $2",
        stream.name(),
        in_sql(last),
    )
    .execute(pool)
    .await?;
    Ok(())
}
