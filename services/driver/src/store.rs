//! What is kept: drivers, sign-ups under way, and a read model of accounts.

pub mod applications;
pub mod drivers;
pub mod people;
