use axum::extract::FromRef;
use sqlx::PgPool;
use tiffin_bus::{Cause, Recorder};
use tiffin_chassis::{BehindProxy, Caller, Env, Limits, Verifier, env::EnvError, telemetry};
use tiffin_events::Clock;

use crate::accounts::Accounts;

/// The state that every request and every consumer of this service needs. Cheap to clone.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) pool: PgPool,
    pub(crate) verifier: Verifier,
    pub(crate) clock: Clock,
    pub(crate) recorder: Recorder,
    limits: Limits,
    pub(crate) accounts: Accounts,
    behind_proxy: BehindProxy,
}

impl State {
    /// Reads from `env` the addresses of the user service and the key for it: `TIFFIN_USER_URL`,
    /// `TIFFIN_USER_INTERNAL_URL` and `TIFFIN_SERVICE_KEY`; and the settings of [`Limits::new`].
    pub fn new(
        pool: PgPool,
        verifier: Verifier,
        recorder: Recorder,
        env: &Env,
    ) -> Result<Self, EnvError> {
        let clock = recorder.clock.clone();
        Ok(Self {
            limits: Limits::new(pool.clone(), clock.clone(), env)?,
            pool,
            verifier,
            clock,
            recorder,
            accounts: Accounts::new(env)?,
            behind_proxy: BehindProxy::read(env)?,
        })
    }

    /// The cause of a request's change: its caller, within its trace.
    pub(crate) fn cause(caller: &Caller) -> Cause {
        Cause::user(caller.id, telemetry::traceparent())
    }
}

impl FromRef<State> for BehindProxy {
    fn from_ref(state: &State) -> Self {
        state.behind_proxy
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
