//! SQL as plain functions, one file for each table.

pub mod chain;
pub mod event_counts;
pub mod events;
pub mod imports;
pub mod operations;
pub mod personal;
