use axum::extract::FromRef;
use sqlx::PgPool;
use tiffin_bus::Cause;
use tiffin_chassis::{BehindProxy, Caller, Env, Limits, Verifier, env::EnvError, telemetry};
use tiffin_events::Clock;

use crate::accounts::Accounts;

/// The state that every request and every consumer of this service needs. Cheap to clone.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) pool: PgPool,
    pub(crate) verifier: Verifier,
    pub(crate) clock: Clock,
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
        clock: Clock,
        env: &Env,
    ) -> Result<Self, EnvError> {
        Ok(Self {
            limits: Limits::new(pool.clone(), clock.clone(), env)?,
            pool,
            verifier,
            clock,
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
