//! The restaurant service against a real database.

mod description;
mod items;
mod kitchen;
mod people;
mod restaurants;
mod reviews;
mod search;
mod submit_review;
