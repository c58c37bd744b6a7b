//! What is kept: restaurants, their menus, and a read model of people.

pub mod items;
pub mod people;
pub mod restaurants;
