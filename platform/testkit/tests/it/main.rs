//! The test kit on itself.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

mod db;
mod keys;
mod nats;
mod rights;
mod samples;
