//! The router's outages. Each is logged once.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::time::{Duration, Instant};

/// The time without an answer that counts as an outage: a router that starts beside this process takes some seconds.
const SILENCE: Duration = Duration::from_secs(20);

/// The time since which the router does not answer, if it does not.
#[derive(Clone, Debug, Default)]
pub(super) struct Outage(Arc<Mutex<State>>);

#[derive(Debug, Default)]
enum State {
    #[default]
    None,
    /// Since this moment.
    Silent(Instant),
    Logged,
}

impl Outage {
    /// Records an answer.
    pub fn end(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::Logged = std::mem::take(&mut *state) {
            tracing::info!("the router answers again");
        }
    }

    /// Records a call without an answer.
    pub fn begin_or_go_on(&self, error: &reqwest::Error) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match *state {
            State::None => *state = State::Silent(Instant::now()),
            State::Silent(since) if since.elapsed() > SILENCE => {
                *state = State::Logged;
                tracing::warn!(%error, "the router does not answer; routes are straight lines until it does");
            }
            State::Silent(_) | State::Logged => {}
        }
    }
}
