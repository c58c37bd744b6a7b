//! In-app notifications, mail and web push.
//!
//! Owns what each user is told. Fed by events only: people (USERS), orders (ORDERS) and deliveries
//! (DELIVERIES). Publishes [`tiffin_events::notification::NotificationEvent`]. Who is told what is in
//! `news`; mail and push take each notification to its reader, where they want that and unless it is
//! replayed or old news.
//!
//! Every change of a notification goes through `store::change`: lock, pure transition, update,
//! outbox. Mail and push leave after the commit, by workers, and never within a transaction.

mod consume;
mod drafts;
mod error;
mod http;
mod limits;
mod mail;
mod mailer;
mod notification;
mod push;
mod pusher;
mod state;
mod store;

use tiffin_chassis::Work;
use tokio_util::sync::CancellationToken;

pub use consume::consumers;
pub use error::Error;
pub use http::router;
pub use mailer::send_due;
pub use pusher::push_due;
pub use state::State;

/// The service's name: in consumer names, event sources and the command line.
pub const NAME: &str = "notification";

/// The service's own tables. They come after those of the bus and the chassis.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();

/// Sends mail and push until `shutdown`.
pub fn tasks(state: &State, shutdown: &CancellationToken) -> Vec<Work> {
    let with = || (state.clone(), shutdown.clone());
    vec![
        Work::new("notification mailer", with(), |(state, stop)| async move {
            mailer::run(&state, &stop).await;
        }),
        Work::new("notification pusher", with(), |(state, stop)| async move {
            pusher::run(&state, &stop).await;
        }),
    ]
}
