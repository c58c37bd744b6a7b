//! The tables.

pub mod limits;
pub mod pictures;
pub mod uses;
