//! The restaurant service against a real database.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

mod accounts;
mod description;
mod fixture;
mod items;
mod limits;
mod pause;
mod personal;
mod restaurants;
mod reviews;
mod search;
mod submit_review;
