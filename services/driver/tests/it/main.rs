//! The driver service against a real database and a fake user service.

mod accounts;
mod description;
mod fake_user_service;
mod fixture;
mod limits;
mod list_drivers;
mod owners;
mod personal;
mod register_driver;
mod update_driver;
