//! SQL as plain functions, a file a table.

pub mod events;
pub mod operations;
