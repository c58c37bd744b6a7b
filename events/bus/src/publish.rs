//! From a transaction to the stream: the write path of aggregates, the outbox, and the relay that publishes it.

pub(crate) mod aggregate;
mod audience;
pub mod fill;
pub mod heads;
mod hints;
pub mod outbox;
mod pipeline;
pub(crate) mod relay;
