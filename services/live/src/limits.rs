//! Limits of one socket and time-outs.

use std::time::Duration;

/// The bounds of the bridge. [`Limits::default`] is what browsers meet; tests shorten the times.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The first frame, with the token, has to come within this.
    pub auth_within: Duration,
    /// The interval of pings.
    pub ping_every: Duration,
    /// A socket that says nothing for this long is closed.
    pub silence: Duration,
    /// A socket that takes nothing of what waits for it for this long is closed.
    pub stalled: Duration,
    /// The longest time that a closing socket may take.
    pub farewell: Duration,
    /// The number of sockets that are closed at once when the server stops, and the pause after them:
    /// 50,000 within five seconds.
    pub drain: (usize, Duration),
    /// The interval of comparing what a topic's watchers have seen with its stream.
    pub compared_every: Duration,
    /// Bytes of one message from a client.
    pub message: usize,
    /// Topics that one socket may watch.
    pub watches: usize,
    /// Frames a second from one client.
    pub frames_a_second: u32,
    /// Frames that are refused, one after the other, before the socket is closed. One is forgiven
    /// every five seconds.
    pub faults: u32,
    /// Statuses that may wait for a socket that does not take them.
    pub statuses: usize,
    /// Bytes of such statuses.
    pub status_bytes: usize,
    /// Sockets of one account: enough for many open pages.
    pub account_sockets: usize,
    /// Sockets of one bridge. It holds fewer where the process may open few files.
    pub sockets: usize,
    /// The part of them that one network may have: 4 is a quarter.
    pub network_share: usize,
    /// Bytes that the kernel may hold for one socket: what is in there can't be replaced by
    /// something newer any more.
    pub send_buffer: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            auth_within: Duration::from_secs(5),
            ping_every: Duration::from_secs(20),
            silence: Duration::from_secs(45),
            stalled: Duration::from_secs(30),
            farewell: Duration::from_secs(2),
            drain: (500, Duration::from_millis(50)),
            compared_every: Duration::from_mins(1),
            message: 64 * 1024,
            watches: 100,
            frames_a_second: 20,
            faults: 10,
            statuses: 256,
            status_bytes: 512 * 1024,
            account_sockets: 10,
            sockets: 50_000,
            network_share: 4,
            send_buffer: 64 * 1024,
        }
    }
}
