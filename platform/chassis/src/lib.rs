//! The HTTP foundation of a Tiffin service: problems, callers, configuration, telemetry, health and the
//! server itself. Nothing here knows about events.

pub mod body;
mod body_reader;
pub mod caller;
pub mod connections;
pub mod env;
pub mod field_errors;
pub mod files;
mod harden;
pub mod health;
pub mod idempotency;
pub mod limits;
pub mod mail;
pub mod network;
pub mod paging;
pub mod problem;
pub mod refusal;
mod region;
pub mod repeat;
mod scope;
mod serde_message;
pub mod server;
pub mod slots;
pub mod storage;
pub mod supervise;
pub mod telemetry;
pub mod token;
pub mod transport;

pub use body::{Json, Path, Query, Raw};
pub use caller::{AnyCaller, Caller, EnrollingCaller, OptionalCaller};
pub use connections::Connections;
pub use env::Env;
pub use field_errors::FieldErrors;
pub use health::Readiness;
pub use idempotency::IdempotencyKey;
pub use limits::{Limit, Limits, WriteLimit, Writes};
pub use network::{BehindProxy, Network};
pub use problem::{Problem, ProblemBody};
pub use refusal::Reason;
pub use region::{BadTimeZone, Region, TimeZone};
pub use scope::Scope;
pub use server::Peer;
pub use storage::Storage;
pub use supervise::SupervisedTask;
pub use token::{Claims, Revocations, Verifier};

/// The tables that every service's database has for HTTP: idempotency keys and counters of limits.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();
