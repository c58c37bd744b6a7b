//! The tables.

pub mod personal;
pub mod pictures;
pub mod uses;
