use std::sync::Arc;

use axum::extract::FromRef;
use sqlx::PgPool;
use tiffin_bus::Recorder;
use tiffin_chassis::{BehindProxy, Env, Limits, Storage, Verifier, env::EnvError, mail::Mailer};
use tiffin_events::Clock;
use tokio::sync::Notify;

use crate::{
    config::Config, copy::COPIES, geocode::Geocoder, google::Google, keys::Keys,
    passwords::Passwords, personal_keys::PersonalKeys, seal::Seal,
};

/// The state that routes and workers of this service share. Cheap to clone.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) pool: PgPool,
    pub(crate) verifier: Verifier,
    pub(crate) clock: Clock,
    pub(crate) recorder: Recorder,
    pub(crate) config: Arc<Config>,
    pub(crate) limits: Limits,
    pub(crate) keys: Keys,
    pub(crate) personal_keys: PersonalKeys,
    pub(crate) seal: Seal,
    pub(crate) passwords: Passwords,
    pub(crate) geocoder: Geocoder,
    /// Absent until it is set up.
    pub(crate) google: Option<Google>,
    pub(crate) mailer: Mailer,
    /// Wakes the mail worker.
    pub(crate) mail_waits: Arc<Notify>,
    /// The store of people's copies.
    pub(crate) copies: Storage,
    /// Wakes the task that makes copies.
    pub(crate) copy_waits: Arc<Notify>,
    /// Wakes the task that removes them.
    pub(crate) copy_leaves: Arc<Notify>,
}

impl State {
    /// Reads its settings from `env`: those of [`Mailer::new`], `TIFFIN_PUBLIC_URL`,
    /// `TIFFIN_SERVICE_KEY`, `TIFFIN_BEHIND_PROXY`, `TIFFIN_SIGN_UPS`, `TIFFIN_ADMIN_SECOND_FACTOR`,
    /// `TIFFIN_GOOGLE_CLIENT_ID`,
    /// `TIFFIN_GOOGLE_ISSUER`, `TIFFIN_GEOCODER_URL`, those of [`COPIES`], and those of [`Seal::read`].
    pub fn new(
        pool: PgPool,
        verifier: Verifier,
        clock: Clock,
        env: &Env,
    ) -> Result<Self, EnvError> {
        let limits = Limits::new(pool.clone(), clock.clone(), env)?;
        let seal = Seal::read(env)?;
        let personal_keys = PersonalKeys::new(pool.clone(), clock.clone(), seal.clone());
        Ok(Self {
            config: Arc::new(Config::read(env)?),
            keys: Keys::new(pool.clone(), clock.clone(), seal.clone()),
            recorder: personal_keys.recorder(),
            personal_keys,
            seal,
            passwords: Passwords::new(),
            geocoder: Geocoder::new(env, pool.clone(), clock.clone(), limits.clone())?,
            google: Google::new(env)?,
            mailer: Mailer::new(env)?,
            mail_waits: Arc::default(),
            copies: Storage::read(env, COPIES)?,
            copy_waits: Arc::default(),
            copy_leaves: Arc::default(),
            limits,
            pool,
            verifier,
            clock,
        })
    }

    /// The keys that tokens are signed with.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The keys of personal fields.
    pub fn personal_keys(&self) -> &PersonalKeys {
        &self.personal_keys
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

impl FromRef<State> for Limits {
    fn from_ref(state: &State) -> Self {
        state.limits.clone()
    }
}
