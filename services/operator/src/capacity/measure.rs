//! The figures as they are now: of the broker, the event log and the services.

use std::{cmp::Ordering, collections::HashMap, time::Duration};

use async_nats::jetstream::{account::Account, stream::DiscardPolicy};
use tiffin_bus::{Broker, BrokerError, DatabaseSize, read};
use tiffin_events::{Stream, revocation, rights};

use super::{
    BrokerDisk, Capacity, DatabaseCapacity, EventLogSize, OrderCost, OutboxSize, StreamCapacity,
    WindowView,
    pace::{Room, Window},
};
use crate::{
    Error, State, services,
    store::{
        archived,
        event_counts::{self, LogSize},
    },
};

/// The streams whose events belong to orders.
const OF_ORDERS: [Stream; 4] = [
    Stream::Orders,
    Stream::Payments,
    Stream::Deliveries,
    Stream::Notifications,
];

/// The part of a stream's cap, in percent, by which it may be fuller than the archiver leaves it.
const ARCHIVER_MARGIN: u64 = 10;

/// The days of the longest month, which leaves the log as a whole.
const DAYS_OF_MONTH: f64 = 31.0;
const SECONDS_A_DAY: f64 = 86_400.0;

/// The counts of the event log.
struct LogCounts {
    window: Window,
    /// Events in the window, by stream.
    events: HashMap<String, i64>,
    orders: i64,
    size: LogSize,
    /// The first stream sequences that the log answers for, where they are not the first.
    starts: HashMap<String, u64>,
}

/// A stream's room, and the messages of the window with the days that they are counted over.
struct Measured {
    name: &'static str,
    room: Room,
    messages: f64,
    days: f64,
    archived: Archived,
}

/// The archived part of a stream.
#[derive(Clone, Copy, Default)]
struct Archived {
    messages: u64,
    bytes: u64,
    /// True if old events leave the stream, so that it does not fill up.
    makes_room: bool,
}

impl Measured {
    /// The mean size of a message, in the stream or the archive.
    fn bytes_a_message(&self) -> f64 {
        let whole = Room {
            messages: self.room.messages + self.archived.messages,
            bytes: self.room.bytes + self.archived.bytes,
            ..self.room
        };
        whole.bytes_a_message()
    }

    /// The messages of its whole history.
    fn all_messages(&self) -> u64 {
        self.room.messages + self.archived.messages
    }
}

/// Measures everything. Services that do not answer are left out.
pub(crate) async fn measure(state: &State) -> Result<Capacity, Error> {
    let now = state.clock.now();
    let log = log_counts(state).await?;
    let all = Stream::ALL.into_iter().map(Stream::name);
    let all = all.chain([rights::AUDIENCE_STREAM, revocation::STREAM]);
    let max_percent = state.window.max_percent;
    let streams = all.map(|name| stream(&state.broker, name, &log, max_percent));
    let asked = services::names().map(|name| services::describe(&state.broker, name));
    let (streams, used, described) = tokio::join!(
        futures_util::future::try_join_all(streams),
        state.broker.jetstream.query_account(),
        futures_util::future::join_all(asked)
    );
    let (streams, account) = (streams?, used.map_err(BrokerError::from)?);
    let order = order_cost(&log, &streams);
    let event_log = event_log(state, &log, &streams);
    let mut views: Vec<_> = streams
        .iter()
        .map(|one| stream_capacity(one, log.window, now))
        .collect();
    views.sort_by(by_end_and_fill);
    let broker = broker_disk(state, &account, &streams, &views);
    Ok(Capacity {
        window: WindowView {
            since: log.window.since,
            days: log.window.days(),
            is_whole: log.window.is_whole(),
        },
        order,
        streams: views,
        databases: services::names()
            .zip(described)
            .map(|(name, description)| {
                database(name, description.and_then(|it| it.size), log.window)
            })
            .collect(),
        event_log,
        broker,
    })
}

/// Puts first the stream that is full first, then the one that is filled most, of those that refuse.
#[expect(
    clippy::cast_precision_loss,
    reason = "an order for people: a stream has less than 2^53 bytes"
)]
fn by_end_and_fill(one: &StreamCapacity, other: &StreamCapacity) -> Ordering {
    let end = |it: &StreamCapacity| (it.full_at.is_none(), it.full_at);
    // The percentage is rounded: streams below a thousandth of their cap would be equal.
    let fill = |it: &StreamCapacity| match it.max_bytes {
        Some(max) if it.refuses => it.bytes as f64 / max as f64,
        _ => 0.0,
    };
    end(one)
        .cmp(&end(other))
        .then_with(|| fill(other).total_cmp(&fill(one)))
}

fn broker_disk(
    state: &State,
    account: &Account,
    measured: &[Measured],
    streams: &[StreamCapacity],
) -> BrokerDisk {
    let makes_room = |name: &str| {
        let mut measured = measured.iter();
        measured.any(|it| it.name == name && it.archived.makes_room)
    };
    let limit = u64::try_from(account.limits.max_storage.unwrap_or_default());
    let disk = Room {
        messages: 0,
        bytes: account.storage,
        max_bytes: limit.ok().filter(|limit| *limit > 0).or(state.broker_disk),
        max_age: None,
        refuses: true,
    };
    let growing = streams
        .iter()
        .filter(|one| one.refuses && !makes_room(&one.name));
    let pace = growing.map(|one| one.bytes_a_day).sum();
    BrokerDisk {
        bytes: disk.bytes,
        max_bytes: disk.max_bytes,
        percent: disk.percent(),
        bytes_a_day: pace,
        full_at: disk.full_at(state.clock.now(), pace),
    }
}

async fn log_counts(state: &State) -> Result<LogCounts, Error> {
    let logged = Stream::ALL.into_iter().filter(|stream| stream.is_history());
    let logged: Vec<String> = logged.map(|stream| stream.name().to_owned()).collect();
    let mut connection = state.pool.acquire().await?;
    let first = event_counts::first_time(&mut connection, &logged).await?;
    let window = Window::new(first, state.clock.now());
    let counts = event_counts::since(&mut connection, &logged, window.since).await?;
    Ok(LogCounts {
        window,
        events: counts
            .into_iter()
            .map(|it| (it.stream, it.events))
            .collect(),
        orders: event_counts::orders_since(&mut connection, window.since).await?,
        size: event_counts::log_size(&mut connection).await?,
        starts: archived::starts(&mut connection)
            .await?
            .into_iter()
            .filter_map(|it| Some((it.stream, it.seq.try_into().ok()?)))
            .collect(),
    })
}

/// The state of a stream. Of one that the event log lacks, the broker counts the messages of the window.
#[expect(
    clippy::cast_precision_loss,
    reason = "figures for people: a stream has less than 2^53 messages"
)]
async fn stream(
    broker: &Broker,
    name: &'static str,
    log: &LogCounts,
    max_percent: u64,
) -> Result<Measured, BrokerError> {
    let handle = broker.jetstream.get_stream(name).await?;
    let info = handle.cached_info();
    let room = Room {
        messages: info.state.messages,
        bytes: info.state.bytes,
        max_bytes: u64::try_from(info.config.max_bytes)
            .ok()
            .filter(|max| *max > 0),
        max_age: Some(info.config.max_age).filter(|age| *age > Duration::ZERO),
        refuses: info.config.discard == DiscardPolicy::New,
    };
    let (messages, days) = if let Some(events) = log.events.get(name) {
        (*events as f64, log.window.days())
    } else {
        let stored = read::count_since(broker, name, log.window.since).await?;
        (stored as f64, log.window.days_within(room.max_age))
    };
    // One that is fuller than the archiver leaves it is not emptied: a consumer may be stuck.
    let limit = (max_percent + ARCHIVER_MARGIN) as f64;
    let is_emptied = !info.config.deny_purge && room.percent().is_none_or(|it| it <= limit);
    let archived = archived(broker, name, is_emptied).await?;
    Ok(Measured {
        name,
        room,
        messages,
        days,
        archived,
    })
}

async fn archived(broker: &Broker, name: &str, makes_room: bool) -> Result<Archived, BrokerError> {
    let stream = name.parse::<Stream>().ok().filter(|it| it.is_archived());
    let (Some(archive), Some(stream)) = (&broker.archive, stream) else {
        return Ok(Archived::default());
    };
    let segments = archive.segments(stream).await?;
    Ok(Archived {
        messages: segments.iter().map(|it| it.count).sum(),
        bytes: segments.iter().map(|it| it.body_bytes).sum(),
        makes_room,
    })
}

fn stream_capacity(
    measured: &Measured,
    window: Window,
    now: time::OffsetDateTime,
) -> StreamCapacity {
    let room = measured.room;
    let events_a_day = window.a_day(measured.messages, measured.days);
    let bytes_a_day = events_a_day.map(|pace| pace * measured.bytes_a_message());
    let full_at = room.full_at(now, bytes_a_day);
    StreamCapacity {
        name: measured.name.to_owned(),
        messages: room.messages,
        bytes: room.bytes,
        max_bytes: room.max_bytes,
        percent: room.percent(),
        events_a_day,
        bytes_a_day,
        full_at: full_at.filter(|_| !measured.archived.makes_room),
        refuses: room.refuses,
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "figures for people: there are less than 2^53 orders"
)]
fn order_cost(log: &LogCounts, streams: &[Measured]) -> Option<OrderCost> {
    let placed = log.orders as f64;
    let of_orders = || {
        let is_of_orders = |it: &&Measured| OF_ORDERS.iter().any(|one| one.name() == it.name);
        streams.iter().filter(is_of_orders)
    };
    let events: f64 = of_orders().map(|it| it.messages).sum();
    let bytes: f64 = of_orders()
        .map(|it| it.messages * it.bytes_a_message())
        .sum();
    (log.orders > 0).then(|| OrderCost {
        placed: log.orders,
        events: events / placed,
        bytes: bytes / placed,
    })
}

#[expect(
    clippy::cast_precision_loss,
    reason = "figures for people: the log has less than 2^53 bytes"
)]
fn event_log(state: &State, log: &LogCounts, streams: &[Measured]) -> EventLogSize {
    let logged = || streams.iter().filter(|it| log.events.contains_key(it.name));
    // The log has a row for each message of its streams from its start on.
    let rows: u64 = logged().map(|it| rows(log, it)).sum();
    let bytes_a_row = log.size.bytes as f64 / (rows.max(1)) as f64;
    let pace = |events: f64| log.window.a_day(events * bytes_a_row, log.window.days());
    let leaving = logged().filter(|it| is_leaving(state, it.name));
    let leaving: f64 = leaving.map(|it| it.messages).sum();
    let days = state.window.max_age.as_secs_f64() / SECONDS_A_DAY + DAYS_OF_MONTH;
    let settles_at = pace(leaving).map(|pace| pace * days + log.size.kept_bytes as f64);
    EventLogSize {
        bytes: log.size.bytes,
        bytes_a_day: pace(logged().map(|it| it.messages).sum()),
        months: log.size.months,
        settles_at: settles_at.filter(|_| state.broker.archive.is_some()),
    }
}

/// The rows of a stream in the log.
fn rows(log: &LogCounts, stream: &Measured) -> u64 {
    let start = log.starts.get(stream.name).copied().unwrap_or(1);
    stream.all_messages().saturating_sub(start - 1)
}

/// True if a stream's events leave the log.
fn is_leaving(state: &State, name: &str) -> bool {
    let stream = name.parse::<Stream>();
    state.broker.archive.is_some() && stream.is_ok_and(Stream::is_archived)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "figures for people: an outbox has less than 2^53 bytes"
)]
fn database(name: &str, size: Option<DatabaseSize>, window: Window) -> DatabaseCapacity {
    let outbox = size.map(|size| {
        // Rows from before may have left it for the archive.
        let days = window.days_within(Some(counted_over(size)));
        let rows_a_day = window.a_day(size.outbox_rows_of_week as f64, days);
        let bytes_a_row = size.outbox_bytes as f64 / size.outbox_rows.max(1) as f64;
        OutboxSize {
            rows: size.outbox_rows,
            bytes: size.outbox_bytes,
            rows_a_day,
            bytes_a_day: rows_a_day.map(|rows| rows * bytes_a_row),
        }
    });
    DatabaseCapacity {
        name: name.to_owned(),
        outbox,
        other_bytes: size.map(|size| size.other_bytes),
    }
}

/// The time over which an outbox counts its rows of the week.
fn counted_over(size: DatabaseSize) -> Duration {
    Duration::from_secs(u64::try_from(size.outbox_week_seconds).unwrap_or_default())
}
