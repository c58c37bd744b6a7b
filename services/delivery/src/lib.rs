//! Deliveries, their status and the driver's position.
//!
//! Owns the tables `deliveries`, one for each order that was confirmed, `suggestions`, the drivers who were
//! suggested for an order, and `phone_tokens`. Publishes [`tiffin_events::delivery::DeliveryEvent`],
//! [`tiffin_events::suggestion::SuggestionEvent`], the audience entry of each delivery and the list of
//! deliveries that each driver has under way; keeps read models of orders (ORDERS), restaurants
//! (CATALOG), people (USERS) and drivers (DRIVERS), so that it works while another service is down.
//!
//! Every change of a delivery goes through [`tiffin_bus::change`]: lock, pure transition, save,
//! outbox.
//! Positions are no such change: they come many a second and are stored in batches.

mod arrivals;
mod candidates;
mod consume;
mod delivery;
mod dispatch;
mod error;
mod forecast;
mod http;
mod late_positions;
mod limits;
mod phone;
mod routing;
mod state;
mod statistics_cache;
mod store;
mod suggestion;
mod tasks;
mod view;

pub use arrivals::forecast_due;
pub use consume::{batches, consumers};
pub use error::Error;
pub use http::router;
pub use state::State;
pub use store::personal::PERSONAL;
pub use tasks::tasks;

/// The forecasts alone, for their benchmark.
pub mod forecasting {
    pub use crate::{
        forecast::TripStatistics, routing::Ride, store::statistics::read as read_statistics,
    };
}

/// The ranking of drivers alone, for its benchmark.
pub mod dispatching {
    pub use crate::dispatch::{
        AtSpeed, Courier, OpenOrder, Plan, Stop, Task, at_end, capacity, rank, times,
    };
}

/// The service's name: in consumer names, event sources and the command line.
pub const NAME: &str = "delivery";

/// The service's own tables. They come after those of the bus and the chassis.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();
