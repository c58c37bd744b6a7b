//! The user service against a real database, by its own routes.

#![expect(clippy::unwrap_used, reason = "what fails in a test fails the test")]

mod accounts;
mod block;
mod close;
mod copy;
mod devices;
mod erasure;
mod fixture;
mod forgot;
mod geocode;
mod google;
mod inquiry;
mod interface;
mod internal;
mod keys;
mod limits;
mod login;
mod operators;
mod password;
mod personal_keys;
mod profile;
mod refresh;
mod register;
mod same_work;
mod second_factor;
mod second_step;
mod sign_ups;
mod users;
mod verification;
