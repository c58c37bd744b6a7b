//! The event history, for operators: read it, replay it, repair it.
//!
//! Owns the tables `events` (a searchable copy of the streams, which can be rebuilt from them; with `log_starts`,
//! `archived_segments` and `archived_orders` for the part that lies in the archive alone), `operations`, `chain` (the end of the audit's chain), and `imports` with `imported`
//! (imports into empty streams). Publishes [`tiffin_events::operation::OperationEvent`]. A consumer's own
//! service carries out commands on it, sent through [`tiffin_bus::history`].

mod archive;
mod capacity;
mod chain;
mod consume;
mod dead_letters;
mod error;
mod event_view;
mod http;
mod import;
mod live_replay;
mod local_operations;
mod log;
mod log_rebuild;
mod mask;
mod operation;
mod progress;
mod sealed;
mod search_words;
mod services;
mod state;
mod store;
mod streams;
mod tasks;

pub use consume::batches;
pub use error::Error;
pub use http::router;
pub use log::keep_window;
pub use state::State;
pub use store::personal::PERSONAL;
pub use tasks::tasks;

/// The service's name: in consumer names, event sources and the command line.
pub const NAME: &str = "operator";

/// The service's own tables. They come after those of the bus and the chassis.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();
