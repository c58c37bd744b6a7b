//! In-app notifications, mail and web push.
//!
//! Owns the notifications of each user. Consumes restaurants (CATALOG), people (USERS), orders (ORDERS)
//! and deliveries (DELIVERIES). Publishes [`tiffin_events::notification::NotificationEvent`]. The module `drafts` maps
//! events to notifications; mail and push send a notification unless its reader has turned them off, or it is
//! replayed or old.
//!
//! Every change of a notification goes through [`tiffin_bus::change`]: lock, pure transition, save,
//! outbox.
//! Workers send mail and push after the commit, never within a transaction.

mod bundle;
mod consume;
mod drafts;
mod error;
mod http;
mod language;
mod limits;
mod mail;
mod mailer;
mod notification;
mod push;
mod pusher;
mod state;
mod store;
mod tasks;
mod text;

pub use consume::consumers;
pub use error::Error;
pub use http::router;
pub use mailer::send_due;
pub use pusher::push_due;
pub use state::State;
pub use store::personal::PERSONAL;
pub use tasks::tasks;

/// The service's name: in consumer names, event sources and the command line.
pub const NAME: &str = "notification";

/// The service's own tables. They come after those of the bus and the chassis.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();
