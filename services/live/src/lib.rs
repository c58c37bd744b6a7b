//! The live bridge: positions and statuses from the broker to browsers, and drivers' positions up.
//!
//! `GET /live` is a websocket whose frames are [`tiffin_events::live`]. The bridge owns no tables:
//! who may watch what is the key-value bucket `audience`, what was missed is read from the streams,
//! so any number of bridges can stand behind one address. It publishes
//! [`tiffin_events::position::PositionEvent`], and passes on the events of orders and deliveries and
//! what concerns a user (`feed.<user id>`).
//!
//! - `hub` is the thread that owns sockets, topics and a connection to the broker: nothing in it
//!   waits. `desk` answers what it has to ask.
//! - `nats` reads the broker's protocol straight into `render`, which makes each frame once.
//! - `upstream` checks what drivers send and publishes it in bunches.

mod audience;
mod config;
mod desk;
mod frame;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod http;
mod hub;
mod limits;
mod nats;
mod render;
mod state;
mod stored;
mod upstream;

pub use config::Config;
pub use http::router;
pub use limits::Limits;
pub use state::State;

/// The service's name: in event sources and the command line.
pub const NAME: &str = "live";
