use axum::extract::FromRef;
use sqlx::PgPool;
use tiffin_bus::Cause;
use tiffin_chassis::{Caller, Verifier, telemetry};
use tiffin_events::Clock;

/// What every request and every consumer of this service needs. Cheap to clone.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) pool: PgPool,
    pub(crate) verifier: Verifier,
    pub(crate) clock: Clock,
}

impl State {
    pub fn new(pool: PgPool, verifier: Verifier, clock: Clock) -> Self {
        Self {
            pool,
            verifier,
            clock,
        }
    }

    /// Why a request changes something: its caller, within its trace.
    pub(crate) fn cause(caller: &Caller) -> Cause {
        Cause::user(caller.id, telemetry::traceparent())
    }
}

impl FromRef<State> for Verifier {
    fn from_ref(state: &State) -> Self {
        state.verifier.clone()
    }
}
