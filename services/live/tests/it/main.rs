//! The bridge against a real nats-server, by way of real websockets.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]
#![expect(
    clippy::float_cmp,
    reason = "a position comes out exactly as it went in"
)]

mod authentication;
mod broker;
mod fixture;
mod frames;
mod hints;
mod imports;
mod positions;
mod replays;
mod rights;
mod slow;
mod watching;
