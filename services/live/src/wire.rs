//! The bridge's own wire code: websocket frames, the broker's protocol and a quick reader of positions.
//!
//! What the broker delivers goes from the read buffer into frames in one pass, with no task or channel between. It
//! covers deliveries alone; everything else (reading the audience, catching up, publishing) goes through
//! `async_nats`. Nothing here knows the rest of the bridge (`infra/xtask/tests/layers.rs`). `wire/README.md` has the
//! measurements that justify it.

pub mod dial;
pub mod frame;
pub mod link;
pub mod protocol;
pub mod scan;
