//! The tables.

pub mod pictures;
pub mod uses;
