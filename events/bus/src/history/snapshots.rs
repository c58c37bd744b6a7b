//! Snapshots of read models: copies of their tables in the service's database, with the positions up to which the
//! streams are in them. A rebuild and a verification start from a valid one.

mod check;
mod program;
mod take;

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use sqlx::PgConnection;
use tiffin_archive::Hash;
use tiffin_events::Stream;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

pub(super) use self::{
    check::{Unusable, check_rows, usable},
    take::{is_same, take},
};
use super::{model::Model, tables::Fingerprint};
use crate::{Broker, BrokerError, Consumer};

/// A snapshot as the database records it.
pub(super) struct Snapshot {
    pub marks: Vec<Mark>,
    tables: Vec<(String, Fingerprint)>,
    program: String,
    taken_at: OffsetDateTime,
}

/// The end of the part of a consumer's stream that a snapshot has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub consumer: String,
    pub stream: Stream,
    pub position: u64,
    /// The name of the stream's history until then: the chain of the last archived segment, or, for a stream that is not
    /// archived, the time at which it was made.
    pub history: String,
}

impl Snapshot {
    /// The recorded snapshot of a read model.
    async fn find(tx: &mut PgConnection, model: &Model<'_>) -> sqlx::Result<Option<Self>> {
        let rows = sqlx::query!(
            "select consumer, stream, position, history, program, taken_at from bus.snapshots
             where model = $1 order by consumer",
            model.name(),
        )
        .fetch_all(&mut *tx)
        .await?;
        let Some(first) = rows.first() else {
            return Ok(None);
        };
        let (program, taken_at) = (first.program.clone(), first.taken_at);
        let mut marks = Vec::new();
        for row in rows {
            let stream = row.stream.parse();
            marks.push(Mark {
                consumer: row.consumer,
                stream: stream.map_err(|error| sqlx::Error::Decode(Box::new(error)))?,
                position: u64::try_from(row.position).unwrap_or_default(),
                history: row.history,
            });
        }
        let rows = sqlx::query!(
            r#"select name, rows, hash::text as "hash!" from bus.snapshot_tables
             where model = $1 order by name"#,
            model.name(),
        )
        .fetch_all(tx)
        .await?;
        let mut tables = Vec::new();
        for row in rows {
            tables.push((row.name, Fingerprint::from_sum(row.rows, &row.hash)?));
        }
        Ok(Some(Self {
            marks,
            tables,
            program,
            taken_at,
        }))
    }

    /// The stream sequence up to which a consumer's stream is in it.
    pub(super) fn position_of(&self, consumer: &Consumer) -> u64 {
        let mut marks = self.marks.iter();
        let mark = marks.find(|mark| mark.consumer == consumer.name);
        mark.map_or(0, |mark| mark.position)
    }

    /// The positions by stream.
    pub(super) fn positions(&self) -> Value {
        let marks = self.marks.iter();
        let positions = marks.map(|mark| (mark.stream.name().to_owned(), json!(mark.position)));
        positions.collect::<Map<_, _>>().into()
    }

    /// The part of a report that describes it.
    pub(super) fn report(&self) -> Value {
        let mut content = String::new();
        for (table, Fingerprint { rows, hash }) in &self.tables {
            let _ = writeln!(content, "{table} {rows} {hash}");
        }
        json!({
            "used": true, "positions": self.positions(),
            "takenAt": self.taken_at.format(&Rfc3339).unwrap_or_default(),
            "hash": Hash::of(content.as_bytes()).to_string(),
        })
    }
}

impl Mark {
    /// The end of the part of a consumer's stream that a snapshot may have now: the archive's end, or the stream's.
    pub(super) async fn newest(broker: &Broker, consumer: &Consumer) -> Result<Self, BrokerError> {
        let stream = consumer.stream;
        let (position, history) = if stream.is_archived() {
            let segments = segments(broker, stream).await?;
            let last = segments.last();
            let end = last.map_or((0, Hash::START), |last| (last.last, last.chain));
            (end.0, end.1.to_string())
        } else {
            let (last, made_at) = held(broker, stream).await?;
            (last, made_at)
        };
        Ok(Self {
            consumer: consumer.name.clone(),
            stream,
            position,
            history,
        })
    }

    /// True if the stream had the same history until then as it has now.
    async fn holds(&self, broker: &Broker) -> Result<bool, BrokerError> {
        if self.stream.is_archived() {
            let segments = segments(broker, self.stream).await?;
            let mut segments = segments.iter();
            let chain = segments.find(|one| one.last == self.position);
            let chain = chain.map_or(Hash::START, |segment| segment.chain);
            return Ok(self.history == chain.to_string());
        }
        let (last, made_at) = held(broker, self.stream).await?;
        Ok(self.history == made_at && last >= self.position)
    }
}

async fn segments(
    broker: &Broker,
    stream: Stream,
) -> Result<Vec<tiffin_archive::Segment>, BrokerError> {
    match &broker.archive {
        Some(archive) => Ok(archive.segments(stream).await?),
        None => Ok(Vec::new()),
    }
}

/// The last stream sequence of a stream, and the time at which it was made.
async fn held(broker: &Broker, stream: Stream) -> Result<(u64, String), BrokerError> {
    let handle = broker.jetstream.get_stream(stream.name()).await?;
    let info = handle.cached_info();
    let made_at = info.created.unix_timestamp_nanos().to_string();
    Ok((info.state.last_sequence, made_at))
}
