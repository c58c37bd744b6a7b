//! The archive in a folder and in a bucket, whole, damaged and interrupted.
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
mod s3;
mod search;
mod text;
mod writers;
