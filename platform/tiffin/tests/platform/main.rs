//! The whole platform, as it ships, by what it answers: who may call what, what every call of the
//! specification gives, what happens when a hundred ask at once, what operators do with its history, and
//! what is written down nowhere.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

mod accounts;
mod authorization;
mod calls;
mod canary;
mod cancels;
mod concurrency;
mod erasure;
mod evening;
mod google;
mod history;
mod payments;
mod restaurant_fixture;
mod settle;
mod stack;
mod streams;
