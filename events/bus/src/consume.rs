//! From the stream to a handler's transaction, once: durable consumers, retries, dead letters.

pub(crate) mod acknowledge;
pub(crate) mod apply;
pub(crate) mod batch;
pub(crate) mod blocked;
pub(crate) mod consumer;
pub(crate) mod dead_letter;
pub(crate) mod erase_account;
pub(crate) mod failure;
pub(crate) mod families;
mod malformed;
mod predecessor;
pub(crate) mod pull_error;
pub(crate) mod received;
pub(crate) mod replaced;
mod retry;
mod run;
pub(crate) mod settle;
pub(crate) mod snapshot;
pub(crate) mod stream_reader;
pub(crate) mod table;
pub(crate) mod tail;
mod worker;
