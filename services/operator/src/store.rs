//! SQL as plain functions, one file for each table.

pub mod archived;
pub mod chain;
pub mod event_counts;
pub mod events;
pub mod imports;
pub mod log_months;
pub mod operations;
pub mod personal;
pub mod search_words;
