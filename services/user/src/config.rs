use tiffin_chassis::{BehindProxy, Env, env::EnvError};

/// Sign-ups from one network in an hour, unless it is set: an office may sign up before lunch, a
/// machine that makes accounts has to wait.
const SIGN_UPS: i32 = 60;

/// What the environment says about this service.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// Whether browsers reach this service by https, so that the cookie may ask for it.
    pub https: bool,
    /// What other services show to have accounts made. Without one nobody can.
    pub service_key: Option<String>,
    pub behind_proxy: BehindProxy,
    /// How many accounts may be opened from one network in an hour.
    pub sign_ups: i32,
}

impl Config {
    /// `TIFFIN_PUBLIC_URL`, `TIFFIN_SERVICE_KEY`, `TIFFIN_BEHIND_PROXY` (`true` or `false`),
    /// `TIFFIN_SIGN_UPS`.
    pub fn read(env: &Env) -> Result<Self, EnvError> {
        Ok(Self {
            https: env
                .get("TIFFIN_PUBLIC_URL")
                .is_some_and(|url| url.starts_with("https://")),
            service_key: env.get("TIFFIN_SERVICE_KEY").map(str::to_owned),
            behind_proxy: BehindProxy::read(env)?,
            sign_ups: env.parse("TIFFIN_SIGN_UPS")?.unwrap_or(SIGN_UPS),
        })
    }
}
