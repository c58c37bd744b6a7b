//! What is kept: drivers, sign-ups under way, and read models of accounts and positions.

pub mod applications;
pub mod drivers;
pub mod newcomers;
pub mod people;
pub mod positions;
pub mod rows;
