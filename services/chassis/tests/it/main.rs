//! The chassis against a real database and over a real connection.

mod callers;
mod idempotency;
mod limits;
mod traces;
