//! The live bridge: positions and statuses from the broker to browsers, and drivers' positions up.
//!
//! `GET /live` is a websocket whose frames are [`tiffin_events::live`]. The bridge owns no tables:
//! the rights are in the key-value bucket `audience`, and missed events are read from the streams,
//! so any number of bridges can serve one address. It publishes
//! [`tiffin_events::position::PositionEvent`], and passes on the events of orders and deliveries and
//! what concerns a user (`feed.<user id>`).
//!
//! - `hub` is the thread that owns sockets, topics and a connection to the broker: nothing in it
//!   waits. `lookups` answers what it has to ask.
//! - `wire` is our own end of the protocols of websockets and of the broker; `render` makes each frame once.
//! - `positions` checks drivers' positions and publishes them in batches.

mod audience;
mod broker_reader;
mod config;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod http;
mod hub;
mod limits;
mod lookups;
mod messages;
mod positions;
mod refusal;
mod render;
mod state;
mod topic_key;
mod wire;

pub use config::Config;
pub use http::router;
pub use limits::Limits;
pub use state::State;

/// The service's name: in event sources and the command line.
pub const NAME: &str = "live";
