//! Configuration of the bridge.

use tiffin_chassis::{BehindProxy, Env, env::EnvError};
use url::Url;

use crate::limits::Limits;

/// The bridge's configuration.
#[derive(Clone, Debug)]
pub struct Config {
    /// The broker's address, with credentials if it needs them.
    pub broker: Url,
    /// Pages of these origins may connect (`https://food.example`), besides those of our own host.
    pub origins: Vec<String>,
    /// Threads that sockets are spread over. One serves tens of thousands.
    pub hubs: usize,
    pub limits: Limits,
    pub behind_proxy: BehindProxy,
}

impl Config {
    /// Reads `NATS_URL`, `TIFFIN_ORIGINS` (comma-separated), `TIFFIN_BEHIND_PROXY` and `TIFFIN_LIVE_HUBS`;
    /// one hub for every four processors by default.
    pub fn from_env(env: &Env) -> Result<Self, EnvError> {
        let origins = env.get("TIFFIN_ORIGINS").unwrap_or_default().split(',');
        let origins = origins.map(|origin| origin.trim().trim_end_matches('/').to_owned());
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let hubs = env.parse("TIFFIN_LIVE_HUBS")?;
        Ok(Self {
            broker: broker(env.get("NATS_URL").unwrap_or("nats://127.0.0.1:4222"))?,
            origins: origins.filter(|origin| !origin.is_empty()).collect(),
            hubs: hubs.unwrap_or(processors.div_ceil(4)).clamp(1, 64),
            limits: Limits::default(),
            behind_proxy: BehindProxy::read(env)?,
        })
    }
}

fn broker(text: &str) -> Result<Url, EnvError> {
    let invalid = |reason: String| EnvError::Invalid {
        name: "NATS_URL",
        reason,
    };
    // The client library takes `host:port` too, and several servers; the first will do.
    let first = text.split(',').next().unwrap_or_default().trim();
    let whole = if first.contains("://") {
        first.to_owned()
    } else {
        format!("nats://{first}")
    };
    let url: Url = whole.parse().map_err(|error| invalid(format!("{error}")))?;
    if url.scheme() == "nats" {
        Ok(url)
    } else {
        Err(invalid("the live bridge speaks nats:// only".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_has_a_default() {
        let config = Config::from_env(&Env::default()).unwrap();
        assert_eq!(config.broker.as_str(), "nats://127.0.0.1:4222");
        assert!(config.origins.is_empty() && config.hubs >= 1);
    }

    #[test]
    fn settings_are_read() {
        let env = Env::from_pairs([
            ("NATS_URL", "a.example:4333,b.example"),
            (
                "TIFFIN_ORIGINS",
                "http://localhost:5173/, https://food.example",
            ),
            ("TIFFIN_LIVE_HUBS", "3"),
        ]);
        let config = Config::from_env(&env).unwrap();
        assert_eq!(config.broker.as_str(), "nats://a.example:4333");
        assert_eq!(
            config.origins,
            ["http://localhost:5173", "https://food.example"]
        );
        assert_eq!(config.hubs, 3);
        assert!(broker("tls://a.example").is_err());
    }
}
