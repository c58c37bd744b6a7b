//! Pictures: uploaded, stored, resized and served, in the calls of the hosted storage backend whose stock
//! client the web app was written for (`/storage/v1/object/…`, one bucket called `images`).
//!
//! Owns the uploads and a read model of the references to them: of profiles (USERS), restaurants and dishes
//! (CATALOG) and orders (ORDERS). Publishes nothing. A picture without a reference for a day is removed.
//!
//! An upload is decoded and encoded again: no byte of it is served, neither its metadata nor anything
//! hidden in it. Pictures are in an object store under their ids; names are looked up in the database and
//! never become paths.

mod config;
mod consume;
mod error;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod http;
mod imaging;
mod limits;
mod picture;
mod state;
mod store;
mod sweep;
mod tasks;

pub use consume::consumers;
pub use error::Error;
pub use http::router;
pub use state::State;
pub use store::personal::{PERSONAL, personal_files};
pub use sweep::{pending_events, sweep};
pub use tasks::tasks;

/// The service's name: in consumer names, event sources and the command line.
pub const NAME: &str = "media";

/// The service's own tables. They come after those of the bus and the chassis.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();
