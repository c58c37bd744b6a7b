//! The load: one thread that publishes positions and reads every watcher's socket, so that it costs
//! as little as can be beside what is measured.

mod drivers;
mod generator;
mod outgoing;
mod positions;
mod publisher;
mod tally;
mod watcher;
mod websocket;

pub use generator::{LoadGenerator, PublishRate, SourceKind, Span};

/// The protocol on the websockets.
#[derive(Clone, Debug)]
pub enum Dialect {
    /// The bridge's frames; the plain bridge takes the same.
    Tiffin { token: String },
    /// The NATS client protocol in binary frames.
    Nats { connect: String },
}
