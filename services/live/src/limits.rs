//! Limits of one socket and time-outs.

use std::time::Duration;

/// The limits of the bridge. [`Limits::default`] is used in production; tests shorten the times.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The first frame, with the token, has to come within this.
    pub auth_timeout: Duration,
    /// The interval of pings.
    pub ping_interval: Duration,
    /// A socket that sends nothing for this long is closed.
    pub silence_timeout: Duration,
    /// A socket that takes nothing of its send queue for this long is closed.
    pub stall_timeout: Duration,
    /// The longest time that a closing socket may take.
    pub close_timeout: Duration,
    /// The number of sockets that are closed at once when the server stops, and the pause after them:
    /// 50,000 within five seconds.
    pub drain: (usize, Duration),
    /// The interval of comparing what a topic's watchers have seen with its stream.
    pub compare_interval: Duration,
    /// Bytes of one message from a client.
    pub message: usize,
    /// Topics that one socket may watch.
    pub watches: usize,
    /// Frames a second from one client.
    pub frames_a_second: u32,
    /// Frames that are refused, one after the other, before the socket is closed. One is forgiven
    /// every five seconds.
    pub bad_frames: u32,
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
            auth_timeout: Duration::from_secs(5),
            ping_interval: Duration::from_secs(20),
            silence_timeout: Duration::from_secs(45),
            stall_timeout: Duration::from_secs(30),
            close_timeout: Duration::from_secs(2),
            drain: (500, Duration::from_millis(50)),
            compare_interval: Duration::from_mins(1),
            message: 64 * 1024,
            watches: 100,
            frames_a_second: 20,
            bad_frames: 10,
            statuses: 256,
            status_bytes: 512 * 1024,
            account_sockets: 10,
            sockets: 50_000,
            network_share: 4,
            send_buffer: 64 * 1024,
        }
    }
}
