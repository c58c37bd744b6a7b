//! Storage: drivers, sign-ups under way, and read models of accounts, positions and restaurants.

pub mod accounts;
pub mod applications;
pub mod driver_list;
pub mod drivers;
pub mod pending_accounts;
pub mod personal;
pub mod positions;
pub mod restaurants;
