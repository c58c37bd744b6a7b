//! From a transaction to the stream: the write path of aggregates, the outbox, and the relay that publishes it.

pub(crate) mod aggregate;
mod audience_entries;
pub mod fill;
pub mod heads;
mod hints;
mod jetstream;
pub mod outbox;
pub(crate) mod recorder;
pub(crate) mod relay;
pub mod size;
pub mod trim;
