//! Storage: restaurants, their menus, reviews, and a read model of accounts.

pub mod accounts;
pub mod item_rows;
pub mod items;
mod mistyped;
pub mod restaurant_rows;
pub mod restaurants;
pub mod review_rows;
pub mod reviews;
