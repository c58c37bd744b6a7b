//! The connection to the broker, and what waits for it.

use std::{collections::VecDeque, io, time::Instant};

use mio::{Registry, Token};
use time::{Duration, OffsetDateTime};

use super::topics::Target;
use crate::{
    messages::{Since, SocketId},
    topic_key::TopicKey,
    wire::{dial::Dialled, link::Link},
};

/// The largest difference between the broker's clock and ours, with time to notice a lost connection.
const CLOCK_MARGIN: Duration = Duration::seconds(60);

/// A request that waits until the broker has processed our subscriptions.
#[derive(Debug)]
pub enum FencedRequest {
    Open {
        socket: SocketId,
        key: TopicKey,
        since: Since,
    },
    Recover(TopicKey),
}

/// The link with its requests.
#[derive(Debug)]
pub struct Broker {
    pub link: Link<Target>,
    registry: Registry,
    token: Token,
    /// Requests, with the fences that they wait for.
    fences: VecDeque<(u64, FencedRequest)>,
    /// The time from which on statuses may be missing, until all of them are read again.
    pub lost_at: Option<OffsetDateTime>,
    /// The number of the connection.
    pub epoch: u64,
    /// True if the socket was left with unread bytes.
    pub has_more: bool,
}

impl Broker {
    pub fn new(registry: Registry, token: Token, now: Instant) -> Self {
        Self {
            link: Link::new(now),
            registry,
            token,
            fences: VecDeque::new(),
            lost_at: None,
            epoch: 0,
            has_more: false,
        }
    }

    /// Takes a new connection. Requests of sockets wait for its first fence, which it returns.
    pub fn connect(&mut self, dialled: Dialled, now: Instant) -> io::Result<u64> {
        let fence = self
            .link
            .connect(dialled, &self.registry, self.token, now)?;
        self.epoch += 1;
        self.fences
            .retain(|(_, fenced)| matches!(fenced, FencedRequest::Open { .. }));
        for (number, _) in &mut self.fences {
            *number = fence;
        }
        Ok(fence)
    }

    /// Drops the connection; false if there is none.
    pub fn lose(&mut self, now: OffsetDateTime) -> bool {
        if !self.link.is_up() {
            return false;
        }
        self.link.disconnect(&self.registry);
        self.lost_at.get_or_insert(now - CLOCK_MARGIN);
        true
    }

    /// Has a request wait until the broker has processed all subscriptions so far.
    pub fn wait(&mut self, fenced: FencedRequest) {
        let fence = self.link.fence();
        self.wait_for(fence, fenced);
    }

    pub fn wait_for(&mut self, fence: u64, fenced: FencedRequest) {
        self.fences.push_back((fence, fenced));
    }

    /// The next request that waits no longer.
    pub fn next_passed(&mut self) -> Option<FencedRequest> {
        let passed = self.link.passed();
        let next = self.fences.pop_front_if(|(fence, _)| *fence <= passed);
        next.map(|(_, fenced)| fenced)
    }

    /// Ends the outage, unless requests still wait.
    pub fn end_outage(&mut self) {
        if self.fences.is_empty() {
            self.lost_at = None;
        }
    }
}
