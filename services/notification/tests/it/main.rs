//! The notification service against a real database, fed with events and asked by its own routes.

#![expect(clippy::unwrap_used, reason = "what fails in a test fails the test")]

mod consume;
mod create;
mod harness;
mod interface;
mod limits;
mod mailer;
mod preferences;
mod push;
mod push_server;
mod reads;
mod smtp;
