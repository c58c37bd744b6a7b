use std::sync::Arc;

use axum::extract::FromRef;
use sqlx::PgPool;
use tiffin_bus::Recorder;
use tiffin_chassis::{Env, Limits, Verifier, env::EnvError, mail::Mailer};
use tiffin_events::Clock;
use tokio::sync::{Notify, OnceCell};

use crate::{
    Error,
    push::{Key, Push},
    store::keys,
};

/// The state that routes, consumers and workers of this service share. Cheap to clone.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) pool: PgPool,
    pub(crate) verifier: Verifier,
    pub(crate) clock: Clock,
    pub(crate) recorder: Recorder,
    limits: Limits,
    pub(crate) mailer: Mailer,
    /// The address of the site in mails, without a slash at its end.
    pub(crate) site: Option<Arc<str>>,
    /// Wakes the mail worker.
    pub(crate) mail_waits: Arc<Notify>,
    pub(crate) push: Push,
    /// Wakes the push worker.
    pub(crate) push_waits: Arc<Notify>,
    push_key: Arc<OnceCell<Key>>,
}

impl State {
    /// Reads its settings from `env`: those of [`Mailer::new`], `Push::new` and [`Limits::new`], and
    /// `TIFFIN_PUBLIC_URL`.
    pub fn new(
        pool: PgPool,
        verifier: Verifier,
        recorder: Recorder,
        env: &Env,
    ) -> Result<Self, EnvError> {
        let site = env
            .get("TIFFIN_PUBLIC_URL")
            .map(|url| url.trim_end_matches('/').into());
        let clock = recorder.clock.clone();
        Ok(Self {
            limits: Limits::new(pool.clone(), clock.clone(), env)?,
            mailer: Mailer::new(env)?,
            push: Push::new(env)?,
            site,
            mail_waits: Arc::default(),
            push_waits: Arc::default(),
            push_key: Arc::default(),
            pool,
            verifier,
            clock,
            recorder,
        })
    }

    /// The key that identifies this service to push services.
    pub(crate) async fn push_key(&self) -> Result<&Key, Error> {
        self.push_key
            .get_or_try_init(|| keys::push_key(&self.pool))
            .await
    }

    /// Wakes the workers, because there may be something to send.
    pub(crate) fn wake(&self) {
        self.mail_waits.notify_one();
        self.push_waits.notify_one();
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
