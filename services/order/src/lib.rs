//! Quotes, checkouts and orders.
//!
//! Owns the table `orders`. Publishes [`tiffin_events::order::OrderEvent`] and the audience entry of
//! each order; keeps read models of dishes and restaurants (CATALOG), people (USERS), drivers
//! (DRIVERS), deliveries (DELIVERIES) and payments (PAYMENTS), so that quoting and ordering go on while
//! another service is down.
//!
//! Confirmed tickets of restaurants with a printer are print jobs, which print agents claim by calls.
//!
//! A task reminds restaurants of orders that wait, and refuses those whose deadline passed.
//!
//! Every change of an order goes through [`tiffin_bus::change`]: lock, pure transition, save, outbox.

mod cancellation;
mod cart;
mod consume;
mod deadline;
mod error;
mod figures;
mod http;
mod limits;
mod order;
mod print_job;
mod state;
mod store;
mod tasks;
mod ticket;
mod unanswered;
mod view;

pub use consume::consumers;
pub use error::Error;
pub use http::router;
pub use state::State;
pub use store::personal::PERSONAL;
pub use tasks::tasks;
pub use unanswered::settle_due;

/// The service's name: in consumer names, event sources and the command line.
pub const NAME: &str = "order";

/// The service's own tables. They come after those of the bus and the chassis.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();
