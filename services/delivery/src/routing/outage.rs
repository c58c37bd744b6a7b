//! The router's outages. Each is logged once, and a router that hangs is left alone for some seconds: each question
//! would wait for its time-out.

use std::{
    fmt::Display,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::time::{Duration, Instant};

/// The time without an answer that counts as an outage: a router that starts beside this process takes some seconds.
const SILENCE: Duration = Duration::from_secs(20);
/// The pause after a question that timed out.
const PAUSE: Duration = Duration::from_secs(5);

/// The router's silence, if it is silent.
#[derive(Clone, Debug, Default)]
pub(super) struct Outage(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    silent_since: Option<Instant>,
    is_logged: bool,
    paused_until: Option<Instant>,
}

impl Outage {
    /// True for some seconds after a question that timed out.
    pub fn is_paused(&self) -> bool {
        let paused_until = self.state().paused_until;
        paused_until.is_some_and(|until| Instant::now() < until)
    }

    /// Records an answer.
    pub fn end(&self) {
        if std::mem::take(&mut *self.state()).is_logged {
            tracing::info!("the router answers again");
        }
    }

    /// Records a question without an answer.
    pub fn record(&self, error: &impl Display, timed_out: bool) {
        let now = Instant::now();
        let mut state = self.state();
        let since = *state.silent_since.get_or_insert(now);
        if timed_out {
            state.paused_until = Some(now + PAUSE);
        }
        if !state.is_logged && since.elapsed() > SILENCE {
            state.is_logged = true;
            tracing::warn!(%error, "the router does not answer; routes are straight lines until it does");
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_router_that_hangs_is_left_alone_for_some_seconds() {
        let outage = Outage::default();
        assert!(!outage.is_paused());
        outage.record(&"timed out", true);
        assert!(outage.is_paused());
        tokio::time::advance(PAUSE).await;
        assert!(!outage.is_paused());
        outage.record(&"timed out", true);
        outage.end();
        assert!(!outage.is_paused(), "it has answered");
    }

    #[tokio::test(start_paused = true)]
    async fn a_router_that_refuses_is_asked_again_at_once_and_logged_after_a_while() {
        let outage = Outage::default();
        outage.record(&"refused", false);
        assert!(!outage.is_paused());
        assert!(!outage.state().is_logged, "it may be starting");
        tokio::time::advance(SILENCE + Duration::from_secs(1)).await;
        outage.record(&"refused", false);
        assert!(outage.state().is_logged);
        outage.end();
        assert!(!outage.state().is_logged, "the next outage is another one");
    }
}
