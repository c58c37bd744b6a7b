use axum::extract::FromRef;
use sqlx::PgPool;
use tiffin_bus::{Cause, Recorder};
use tiffin_chassis::{Caller, Env, Limits, TimeZone, Verifier, env::EnvError, telemetry};
use tiffin_events::Clock;

/// The state that every request and every consumer of this service needs. Cheap to clone.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) pool: PgPool,
    pub(crate) verifier: Verifier,
    pub(crate) clock: Clock,
    pub(crate) recorder: Recorder,
    pub(crate) time_zone: TimeZone,
    limits: Limits,
}

impl State {
    /// Reads its settings from `env`: those of [`Limits::new`], and `TIFFIN_TIME_ZONE`.
    pub fn new(
        pool: PgPool,
        verifier: Verifier,
        recorder: Recorder,
        env: &Env,
    ) -> Result<Self, EnvError> {
        let clock = recorder.clock.clone();
        Ok(Self {
            time_zone: TimeZone::read(env)?,
            limits: Limits::new(pool.clone(), clock.clone(), env)?,
            pool,
            verifier,
            clock,
            recorder,
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
