//! Our own end of the NATS client protocol, for the one thing that has to be fast: what is delivered
//! goes from the read buffer into frames in one pass, with no task or channel between. Everything
//! else (reading the audience, catching up, publishing) goes through `async_nats`.

pub mod dial;
pub mod link;
pub mod protocol;

pub use link::{Link, Target};
