//! Tests of the operator service with a real database, a real broker, and a service with a consumer.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

mod archive;
mod audit;
mod capacity;
mod dead_letters;
mod events;
mod export;
mod fixture;
mod imports;
mod log;
mod log_and_archive;
mod migrations;
mod months;
mod months_killed;
mod moved;
mod order_replay;
mod personal;
mod proof;
mod replays;
mod reveal;
mod sealed;
mod side_by_side;
mod streams;
