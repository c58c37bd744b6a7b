use tiffin_chassis::{BehindProxy, Env, env::EnvError, storage::Place};

/// The store of pictures.
pub(crate) const PICTURES: Place = Place {
    url: "TIFFIN_MEDIA_URL",
    folder: "TIFFIN_MEDIA_DIR",
    default: "media",
    things: "pictures",
};

/// The service's configuration from the environment.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// The public key that the web app sends before sign-in. Without it, only accounts upload.
    pub anonymous_key: Option<String>,
    pub behind_proxy: BehindProxy,
}

impl Config {
    /// `TIFFIN_ANON_KEY`, `TIFFIN_BEHIND_PROXY` (`true` or `false`).
    pub fn read(env: &Env) -> Result<Self, EnvError> {
        Ok(Self {
            anonymous_key: env.get("TIFFIN_ANON_KEY").map(str::to_owned),
            behind_proxy: BehindProxy::read(env)?,
        })
    }
}
