//! The path of an event: from a transaction's outbox through the relay to JetStream, and from there through
//! durable consumers to a handler's transaction, once.

mod aggregate;
mod apply;
mod audience;
mod batch;
mod broker;
mod caps;
mod consumer;
pub mod control;
mod deadletter;
pub mod erase;
mod failure;
mod families;
mod fault;
pub mod fill;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
pub mod heads;
mod hints;
pub mod outbox;
mod predecessor;
mod publish;
pub mod read;
mod received;
mod relay;
mod retry;
mod run;
mod settle;
mod table;
mod tail;
mod worker;
pub mod write;

pub use aggregate::{Aggregate, Change, Stored, change, outgoing, record};
pub use batch::{BatchConsumer, BatchHandler};
pub use broker::{Broker, BrokerError};
pub use caps::{BadCaps, Caps};
pub use consumer::{Consumer, Handler};
pub use control::Control;
pub use deadletter::DeadLetter;
pub use failure::Failure;
pub use outbox::{Cause, Outgoing};
pub use received::Received;
pub use relay::Relay;
pub use table::{Consumers, Decoded, Handle, Row};
pub use tail::tail;

/// The tables that every service's database has for events: outbox, reached versions.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();
