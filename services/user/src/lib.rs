//! Accounts, sign-in, tokens and e-mail verification.
//!
//! Owns the accounts, the keys that sign access tokens, those that seal personal fields, the sessions, the codes that prove
//! e-mail addresses, and questions to the administrators. Publishes [`tiffin_events::user::UserEvent`] and
//! [`tiffin_events::inquiry::InquiryEvent`]; keeps the orders under way (ORDERS), since an account can't be
//! closed while one concerns it. Names, e-mail addresses and phones leave in the accounts' events and in no
//! others; password hashes, codes and refresh tokens never leave.
//!
//! Every change of an account goes through [`tiffin_bus::change`]: lock, pure transition, save, outbox.

mod accounts;
mod common_passwords;
mod config;
mod consume;
mod copy;
mod erasure;
mod error;
mod geocode;
mod google;
mod heartbeat;
mod http;
mod inquiry;
mod keys;
mod limits;
mod mailer;
mod mails;
mod methods;
mod operators;
mod passwords;
mod personal_keys;
mod reseal;
mod resets;
mod rules;
mod seal;
mod second_factor;
mod sign_ups;
mod state;
mod store;
mod tasks;
mod tokens;
mod user;

pub use accounts::{NewAccount, NewAccountError, create as create_account};
pub use consume::consumers;
pub use copy::{make_due as make_copies_due, remove_due as remove_copies_due};
pub use erasure::{ErasureError, erase_due};
pub use error::Error;
pub use http::{internal, router};
pub use keys::{JwkSet, Keys};
pub use mailer::send_due;
pub use operators::{grant as grant_operator, reset_second_factor, revoke as revoke_operator};
pub use personal_keys::PersonalKeys;
pub use reseal::seal_again;
pub use seal::{Seal, SealError};
pub use state::State;
pub use store::personal::PERSONAL;
pub use tasks::tasks;
pub use user::{Profile, Refusal, User};

/// The service's name: in consumer names, event sources and the command line.
pub const NAME: &str = "user";

/// The service's own tables. They come after those of the bus and the chassis.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();
