use std::sync::Arc;

use axum::extract::FromRef;
use sqlx::PgPool;
use tiffin_chassis::{Env, Verifier, env::EnvError, mail::Post};
use tiffin_events::Clock;
use tokio::sync::Notify;

/// What the routes, consumers and workers of this service share. Cheap to clone.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) pool: PgPool,
    pub(crate) verifier: Verifier,
    pub(crate) clock: Clock,
    pub(crate) post: Post,
    /// Where mails say that more can be seen, without a slash at its end.
    pub(crate) site: Option<Arc<str>>,
    /// Wakes the mail worker.
    pub(crate) mail_waits: Arc<Notify>,
}

impl State {
    /// Reads its settings from `env`: those of [`Post::new`] and `TIFFIN_PUBLIC_URL`.
    pub fn new(
        pool: PgPool,
        verifier: Verifier,
        clock: Clock,
        env: &Env,
    ) -> Result<Self, EnvError> {
        let site = env
            .get("TIFFIN_PUBLIC_URL")
            .map(|url| url.trim_end_matches('/').into());
        Ok(Self {
            post: Post::new(env)?,
            site,
            mail_waits: Arc::default(),
            pool,
            verifier,
            clock,
        })
    }
}

impl FromRef<State> for Verifier {
    fn from_ref(state: &State) -> Self {
        state.verifier.clone()
    }
}
