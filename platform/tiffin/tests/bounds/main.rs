//! The cost of many hostile clients for the process as it ships: open files, memory, and the answers that
//! others get meanwhile.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

mod connections;
mod pictures;
mod process;
