//! What is kept: restaurants, their menus, what customers say of them, and a read
//! model of people.

pub mod items;
pub mod people;
pub mod restaurants;
pub mod review_rows;
pub mod reviews;
