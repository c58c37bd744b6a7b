//! Pictures: taken in, kept, resized and served, in the calls of the hosted storage backend whose
//! stock client the web app was written for (`/storage/v1/object/…`, one bucket called `images`).
//!
//! Owns who uploaded what, and which of it is referred to: a read model of profiles (USERS),
//! restaurants and dishes (CATALOG) and orders (ORDERS). Publishes nothing. What nobody has referred
//! to for a day is removed.
//!
//! What a picture is, is decided by decoding it. What is kept was encoded again: no byte of an upload
//! is served, so neither is its metadata nor whatever else hid in it. Pictures lie in an object store
//! under their ids; names are looked up in the database and never become paths.

mod config;
mod consume;
mod error;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod http;
mod imaging;
mod picture;
mod state;
mod storage;
mod store;
mod sweep;

pub use consume::consumers;
pub use error::Error;
pub use http::router;
pub use state::State;
pub use sweep::{sweep, tasks, what_waits};

/// The service's name: in consumer names, event sources and the command line.
pub const NAME: &str = "media";

/// The service's own tables. They come after those of the bus and the chassis.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();
