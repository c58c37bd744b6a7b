//! Drivers: their vehicles and their availability.
//!
//! Owns the table `drivers`. Publishes [`tiffin_events::driver::DriverEvent`]; keeps a read model of
//! drivers' accounts (USERS), which the user service owns and opens for this service, of
//! restaurants, whose owners see drivers (CATALOG), and of the last position of each driver (POSITIONS).
//!
//! Every change of a driver goes through [`tiffin_bus::change`]: lock, pure transition, save, outbox.

mod accounts;
mod coarse_location;
mod consume;
mod driver;
mod error;
mod http;
mod limits;
mod rules;
pub mod seed;
mod state;
mod store;
mod view;

pub use consume::{batches, consumers};
pub use error::Error;
pub use http::router;
pub use state::State;
pub use store::personal::PERSONAL;

/// The service's name: in consumer names, event sources and the command line.
pub const NAME: &str = "driver";

/// The service's own tables. They come after those of the bus and the chassis.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();
