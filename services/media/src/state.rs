use std::sync::Arc;

use axum::extract::FromRef;
use sqlx::PgPool;
use tiffin_chassis::{BehindProxy, Env, Limits, Storage, Verifier, env::EnvError};
use tiffin_events::Clock;
use tokio::sync::Semaphore;

use crate::{
    config::{Config, PICTURES},
    http::upload_body,
    imaging::Imaging,
};

/// The state that every request and every consumer of this service needs. Cheap to clone.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) pool: PgPool,
    pub(crate) verifier: Verifier,
    pub(crate) clock: Clock,
    pub(crate) config: Arc<Config>,
    pub(crate) limits: Limits,
    pub(crate) storage: Storage,
    pub(crate) imaging: Imaging,
    /// The memory for the bytes of uploads, as permits.
    pub(crate) upload_memory: Arc<Semaphore>,
}

impl State {
    /// Reads its settings from `env`: `TIFFIN_ANON_KEY`, `TIFFIN_BEHIND_PROXY`, `TIFFIN_MEDIA_URL`
    /// with `AWS_…`, `TIFFIN_MEDIA_DIR`, `TIFFIN_HOME`.
    pub fn new(
        pool: PgPool,
        verifier: Verifier,
        clock: Clock,
        env: &Env,
    ) -> Result<Self, EnvError> {
        Ok(Self {
            config: Arc::new(Config::read(env)?),
            limits: Limits::new(pool.clone(), clock.clone(), env)?,
            storage: Storage::read(env, PICTURES)?,
            imaging: Imaging::new(),
            upload_memory: upload_body::upload_memory(),
            pool,
            verifier,
            clock,
        })
    }
}

impl FromRef<State> for BehindProxy {
    fn from_ref(state: &State) -> Self {
        state.config.behind_proxy
    }
}

impl FromRef<State> for Verifier {
    fn from_ref(state: &State) -> Self {
        state.verifier.clone()
    }
}
