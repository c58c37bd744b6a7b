//! What is kept: restaurants, their menus, what customers say of them, and a read
//! model of people.

pub mod item_rows;
pub mod items;
mod mistyped;
pub mod people;
pub mod restaurant_rows;
pub mod restaurants;
pub mod review_rows;
pub mod reviews;
