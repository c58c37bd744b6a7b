//! The archive in a folder, whole, damaged and interrupted.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

mod bench;
mod crash;
mod damage;
mod duckdb;
mod fragile;
mod killed;
mod leftovers;
mod round_trip;
mod search;
mod text;
mod writers;
