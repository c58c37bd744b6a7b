//! SQL as plain functions, a file a table.

pub mod chain;
pub mod events;
pub mod imports;
pub mod operations;
