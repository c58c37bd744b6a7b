//! The bus against a real nats-server and a real PostgreSQL.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

mod aggregate;
mod archive;
mod archive_killed;
mod asleep;
mod batch;
mod bench;
mod caps;
mod consumer;
mod control;
mod dry_run;
mod erase;
mod families;
mod heads;
mod import;
mod killed;
mod read;
mod rebuild;
mod rebuild_locks;
mod relay;
mod republish;
mod sealed;
mod settle;
mod size;
mod snapshot_erasure;
mod snapshots;
mod streams;
mod trim;
mod trimmed;
mod worker_batches;
