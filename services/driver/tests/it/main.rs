//! The driver service against a real database and a stand-in for the user service.

mod description;
mod fleet;
mod limits;
mod list_drivers;
mod owners;
mod people;
mod register_driver;
mod update_driver;
mod user_service;
