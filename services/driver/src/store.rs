//! Storage: drivers, sign-ups under way, and read models of accounts, positions and restaurants.

pub mod applications;
pub mod drivers;
pub mod newcomers;
pub mod people;
pub mod positions;
pub mod restaurants;
pub mod rows;
