//! Storage: restaurants, their menus, reviews, and a read model of accounts.

pub mod accounts;
mod fuzzy_search;
pub mod item_list;
pub mod items;
pub mod personal;
pub mod restaurant_list;
pub mod restaurants;
pub mod review_list;
pub mod reviews;
