//! Tests of the notification service with a real database, through its consumers and its routes.

#![expect(clippy::unwrap_used, reason = "what fails in a test fails the test")]

mod consume;
mod create;
mod fixture;
mod interface;
mod limits;
mod mailer;
mod personal;
mod preferences;
mod push;
mod push_server;
mod reads;
mod smtp;
mod ticket;
