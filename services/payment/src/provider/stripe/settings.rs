//! The settings of Stripe.

use std::time::Duration;

use tiffin_chassis::{Env, env::EnvError};
use url::Url;

use super::signature::Secrets;

/// Stripe's address.
const API: &str = "https://api.stripe.com";
/// The longest wait for an answer, in seconds, unless the environment has another.
const TIMEOUT: u64 = 8;

/// The settings of Stripe, from the environment.
pub(super) struct Settings {
    /// Without a slash at its end.
    pub url: String,
    pub secret_key: String,
    pub webhook_secrets: Secrets,
    pub timeout: Duration,
}

impl Settings {
    /// `TIFFIN_STRIPE_SECRET_KEY`, `TIFFIN_STRIPE_WEBHOOK_SECRET`, `TIFFIN_STRIPE_API` and `TIFFIN_STRIPE_TIMEOUT`.
    pub fn read(env: &Env) -> Result<Self, EnvError> {
        let url: Option<Url> = env.parse("TIFFIN_STRIPE_API")?;
        let url = url.map_or_else(|| API.to_owned(), String::from);
        let seconds: u64 = env.parse("TIFFIN_STRIPE_TIMEOUT")?.unwrap_or(TIMEOUT);
        let secrets = secret(env, "TIFFIN_STRIPE_WEBHOOK_SECRET")?;
        Ok(Self {
            url: url.trim_end_matches('/').to_owned(),
            secret_key: secret(env, "TIFFIN_STRIPE_SECRET_KEY")?,
            webhook_secrets: Secrets::read(&secrets),
            timeout: Duration::from_secs(seconds.max(1)),
        })
    }
}

/// A key or secret, which has no blanks in it.
fn secret(env: &Env, name: &'static str) -> Result<String, EnvError> {
    let text = env.required(name)?.trim();
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
    if is_plain {
        Ok(text.to_owned())
    } else {
        Err(EnvError::Invalid {
            name,
            reason: "it is empty, or has blanks in it".to_owned(),
        })
    }
}
