//! The path of an event: from a transaction's outbox through the relay to JetStream, and from there through
//! durable consumers to a handler's transaction, once. What operators do with the history lies upon both.

mod broker;
mod caps;
mod consume;
pub mod fault;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
pub mod history;
pub mod personal;
mod publish;
pub mod seal;
mod throttle;

pub use broker::{Broker, BrokerError};
pub use caps::{BadCaps, Bytes, Caps, Replicas};
pub use consume::{
    batch::{BatchConsumer, BatchHandler},
    consumer::{Consumer, Handler},
    dead_letter::DeadLetter,
    failure::{Failure, Outage},
    received::Received,
    table::{AggregateHandler, ConsumerRow, Consumers, Decoded},
    tail::tail,
};
pub use history::{Control, archiver, erase, read, write};
pub use publish::{
    aggregate::{Aggregate, Change, StoredAggregate, change, outgoing, record},
    fill, heads,
    outbox::{self, Cause, Outgoing},
    recorder::Recorder,
    relay::Relay,
    size::{self, DatabaseSize},
    trim::{TrimError, Trimmer},
};

/// The tables that every service's database has for events: outbox, inbox and what is blocked.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();
