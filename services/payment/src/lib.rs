//! Payments, refunds and invoices.
//!
//! Owns the table `payments`. Publishes [`tiffin_events::payment::PaymentEvent`]. Keeps read models of
//! orders (ORDERS), of their delivery (DELIVERIES), and of people (USERS) and restaurants (CATALOG) for the
//! names on invoices.
//!
//! A payment has three steps: its intent is committed, the provider is asked, the answer is committed. The
//! provider is never asked within a transaction, and always with the payment's own id as the idempotency
//! key. An interruption between two steps leaves a `pending` payment, which the reconciler settles by asking
//! for the result of that key: money is never taken twice.
//!
//! A checkout has one balance (`checkout.rs`): captures less refunds, against the prices of its live
//! orders. An order is paid only while the balance covers all of them; the surplus is refunded.
//!
//! Every change of a payment goes through `store::change`: lock, pure transition, save, outbox. Card
//! numbers and security codes live as long as the request and are written nowhere.

mod card;
mod charge;
mod checkout;
mod consume;
mod error;
mod http;
mod invoice;
mod limits;
mod payment;
pub mod provider;
mod reconciler;
mod refund;
mod state;
mod store;
mod tasks;
mod webhook;

pub use consume::consumers;
pub use error::Error;
pub use http::router;
pub use reconciler::settle_due;
pub use state::State;
pub use store::personal::PERSONAL;
pub use tasks::tasks;

/// The service's name: in consumer names, event sources and the command line.
pub const NAME: &str = "payment";

/// The service's own tables. They come after those of the bus and the chassis.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();
