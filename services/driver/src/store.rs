//! Storage: drivers, sign-ups under way, and read models of accounts, positions and restaurants.

pub mod accounts;
pub mod applications;
pub mod drivers;
pub mod pending_accounts;
pub mod positions;
pub mod restaurants;
pub mod rows;
