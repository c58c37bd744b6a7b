//! Restaurants, the dishes on their menus ("collection items" on the wire) and the reviews of them.
//!
//! Owns the tables `restaurants`, `items` and `reviews`. Publishes
//! [`tiffin_events::restaurant::RestaurantEvent`], [`tiffin_events::item::ItemEvent`] and
//! [`tiffin_events::review::ReviewEvent`]; keeps a read model of people (USERS), to name owners and the
//! authors of reviews, and to close the restaurants of blocked and closed accounts.
//!
//! Every change goes through [`tiffin_bus::change`]: lock, pure transition, save, outbox.

mod consume;
mod error;
mod http;
mod item;
mod limits;
mod restaurant;
mod review;
mod rules;
mod search;
pub mod seed;
mod state;
mod store;
mod view;

pub use consume::consumers;
pub use error::Error;
pub use http::router;
pub use state::State;
pub use store::personal::PERSONAL;

/// The service's name: in consumer names, event sources and the command line.
pub const NAME: &str = "restaurant";

/// The service's own tables. They come after those of the bus and the chassis.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();
