use std::sync::Arc;

use axum::extract::FromRef;
use sqlx::PgPool;
use tiffin_bus::{Cause, Recorder};
use tiffin_chassis::{Caller, Env, Limits, Verifier, env::EnvError, telemetry};
use tiffin_events::Clock;
use tokio::sync::Notify;

use crate::{
    provider::{Provider, Sandbox, Stripe},
    refund::OwnerLimits,
};

/// The state that every request, every consumer and the reconciler need. Cheap to clone.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) pool: PgPool,
    pub(crate) verifier: Verifier,
    pub(crate) clock: Clock,
    pub(crate) recorder: Recorder,
    limits: Limits,
    pub(crate) provider: Arc<dyn Provider>,
    pub(crate) owner_limits: OwnerLimits,
    /// The provider, if it is Stripe: its tokens and webhooks come here.
    pub(crate) stripe: Option<Stripe>,
    /// Wakes the reconciler.
    pub(crate) work_waits: Arc<Notify>,
}

impl State {
    /// Reads from `env` the provider, `TIFFIN_PAYMENT_PROVIDER`, and the settings of [`Limits::new`] and
    /// [`OwnerLimits::new`]. The provider `sandbox` is built in and the default; `stripe` has further settings.
    pub fn new(
        pool: PgPool,
        verifier: Verifier,
        recorder: Recorder,
        env: &Env,
    ) -> Result<Self, EnvError> {
        const PROVIDER: &str = "TIFFIN_PAYMENT_PROVIDER";
        let stripe = match env.get(PROVIDER) {
            None | Some(Sandbox::NAME) => None,
            Some(Stripe::NAME) => Some(Stripe::new(pool.clone(), env)?),
            Some(other) => {
                return Err(EnvError::Invalid {
                    name: PROVIDER,
                    reason: format!(
                        "{other:?} is no provider; there are: {}, {}",
                        Sandbox::NAME,
                        Stripe::NAME
                    ),
                });
            }
        };
        let provider: Arc<dyn Provider> = match &stripe {
            Some(stripe) => Arc::new(stripe.clone()),
            None => Arc::new(Sandbox::new(pool.clone())),
        };
        let clock = recorder.clock.clone();
        Ok(Self {
            limits: Limits::new(pool.clone(), clock.clone(), env)?,
            pool,
            verifier,
            clock,
            recorder,
            provider,
            owner_limits: OwnerLimits::new(env)?,
            stripe,
            work_waits: Arc::default(),
        })
    }

    /// The same state with another provider.
    #[must_use]
    pub fn with_provider(self, provider: Arc<dyn Provider>) -> Self {
        Self { provider, ..self }
    }

    /// The cause of a request's changes: its caller, within its trace.
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
