//! The restaurant service against a real database.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

mod description;
mod items;
mod kitchen;
mod limits;
mod people;
mod restaurants;
mod reviews;
mod search;
mod submit_review;
