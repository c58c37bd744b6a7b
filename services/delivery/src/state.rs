use std::sync::Arc;

use axum::extract::FromRef;
use sqlx::PgPool;
use tiffin_bus::{Cause, Recorder};
use tiffin_chassis::{Caller, Env, Limits, Verifier, env::EnvError, telemetry};
use tiffin_events::Clock;
use tokio::sync::Notify;

use crate::{routing::Router, statistics_cache::StatisticsCache};

/// The state that every request and every consumer of this service needs. Cheap to clone.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) pool: PgPool,
    pub(crate) verifier: Verifier,
    pub(crate) clock: Clock,
    pub(crate) recorder: Recorder,
    limits: Limits,
    /// For positions, which go to the broker without an outbox.
    pub(crate) nats: async_nats::Client,
    pub(crate) router: Router,
    pub(crate) statistics: StatisticsCache,
    /// Wakes the forecasts: a delivery began or moved to another status.
    pub(crate) forecasts: Arc<Notify>,
}

impl State {
    /// Reads its settings from `env`: those of [`Limits::new`] and `TIFFIN_ROUTER_URL`.
    pub fn new(
        pool: PgPool,
        verifier: Verifier,
        recorder: Recorder,
        nats: async_nats::Client,
        env: &Env,
    ) -> Result<Self, EnvError> {
        let clock = recorder.clock.clone();
        Ok(Self {
            limits: Limits::new(pool.clone(), clock.clone(), env)?,
            router: Router::new(env)?,
            statistics: StatisticsCache::new(pool.clone(), clock.clone()),
            forecasts: Arc::default(),
            pool,
            verifier,
            clock,
            recorder,
            nats,
        })
    }

    /// The cause of a request's change: its caller, within its trace.
    pub(crate) fn cause(caller: &Caller) -> Cause {
        Cause::user(caller.id, telemetry::traceparent())
    }
}

impl FromRef<State> for Verifier {
    fn from_ref(state: &State) -> Self {
        state.verifier.clone()
    }
}

impl FromRef<State> for Limits {
    fn from_ref(state: &State) -> Self {
        state.limits.clone()
    }
}
