//! The chassis against a real database and over a real connection.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

mod callers;
mod idempotency;
mod limits;
mod traces;
