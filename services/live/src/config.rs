//! Configuration of the bridge.

use tiffin_chassis::{BehindProxy, Env, env::EnvError};
use url::Url;

use crate::limits::Limits;

/// The bridge's configuration.
#[derive(Clone, Debug)]
pub struct Config {
    /// The addresses of the broker's servers, with credentials if they need them.
    pub broker: Vec<Url>,
    /// Pages of these origins may connect (`https://food.example`), besides those of our own host.
    pub origins: Vec<String>,
    /// Threads that sockets are spread over. One serves tens of thousands.
    pub hubs: usize,
    pub limits: Limits,
    pub behind_proxy: BehindProxy,
}

impl Config {
    /// Reads `NATS_URL` and `TIFFIN_ORIGINS` (both comma-separated), `TIFFIN_BEHIND_PROXY` and `TIFFIN_LIVE_HUBS`;
    /// one hub for every four processors by default.
    pub fn from_env(env: &Env) -> Result<Self, EnvError> {
        let origins = env.get("TIFFIN_ORIGINS").unwrap_or_default().split(',');
        let origins = origins.map(|origin| origin.trim().trim_end_matches('/').to_owned());
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let hubs = env.parse("TIFFIN_LIVE_HUBS")?;
        Ok(Self {
            broker: servers(env.get("NATS_URL").unwrap_or("nats://127.0.0.1:4222"))?,
            origins: origins.filter(|origin| !origin.is_empty()).collect(),
            hubs: hubs.unwrap_or(processors.div_ceil(4)).clamp(1, 64),
            limits: Limits::default(),
            behind_proxy: BehindProxy::read(env)?,
        })
    }
}

fn servers(text: &str) -> Result<Vec<Url>, EnvError> {
    let read = |(nth, address): (usize, &str)| {
        server(address.trim()).map_err(|reason| EnvError::Invalid {
            name: "NATS_URL",
            reason: format!("address {}: {reason}", nth + 1),
        })
    };
    text.split(',').enumerate().map(read).collect()
}

/// An address as the client library takes it: `host:port` will do.
fn server(address: &str) -> Result<Url, String> {
    let url: Url = if address.contains("://") {
        address.parse()
    } else {
        format!("nats://{address}").parse()
    }
    .map_err(|error: url::ParseError| error.to_string())?;
    match (url.scheme(), url.host_str()) {
        ("nats", Some(host)) if !host.is_empty() => Ok(url),
        ("nats", _) => Err("it has no host".to_owned()),
        _ => Err("the live bridge speaks nats:// only".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_has_a_default() {
        let config = Config::from_env(&Env::default()).unwrap();
        assert_eq!(config.broker, ["nats://127.0.0.1:4222".parse().unwrap()]);
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
        let servers = ["nats://a.example:4333", "nats://b.example"];
        assert_eq!(config.broker, servers.map(|one| one.parse().unwrap()));
        assert_eq!(
            config.origins,
            ["http://localhost:5173", "https://food.example"]
        );
        assert_eq!(config.hubs, 3);
    }

    #[test]
    fn an_address_that_is_none_is_named() {
        for (text, reason) in [
            (
                "a.example,tls://b.example",
                "address 2: the live bridge speaks nats:// only",
            ),
            ("nats://", "address 1: it has no host"),
            ("a.example,", "address 2: it has no host"),
            ("a.example:port", "address 1: invalid port number"),
        ] {
            let error = servers(text).unwrap_err().to_string();
            assert!(error.ends_with(reason), "{error}");
        }
    }
}
