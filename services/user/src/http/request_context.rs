//! The facts about a request beside its body: its network, transport and session.

use std::net::IpAddr;

use axum::extract::FromRequestParts;
use http::{HeaderMap, header, request::Parts};
use tiffin_chassis::{BehindProxy, Network, Problem};
use time::Duration;

use crate::{
    State,
    store::{known_devices, sessions},
};

const COOKIE: &str = "tiffin_refresh";
/// The cookie of a known browser (see [`known_devices`]).
const DEVICE: &str = "tiffin_device";
/// Only the calls that need the cookie get it.
const COOKIE_PATH: &str = "/api/v1/users";
/// Longer ones are not ours.
const LONGEST_KEY: usize = 64;

/// The network, transport and session of a request.
#[derive(Clone, Debug)]
pub(crate) struct RequestContext {
    /// The client's network: an IPv4 address, or the /64 of an IPv6 address, which is one household.
    pub network: Option<IpAddr>,
    /// The refresh token of the cookie.
    pub refresh: Option<String>,
    /// The key of a browser that has signed in before.
    pub device: Option<String>,
    https: bool,
}

impl FromRequestParts<State> for RequestContext {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Problem> {
        let Network(network) = Network::from_request_parts(parts, state).await?;
        let BehindProxy(proxied) = state.config.behind_proxy;
        let proto = text(&parts.headers, "x-forwarded-proto");
        Ok(Self {
            network,
            refresh: cookie(&parts.headers, COOKIE),
            device: cookie(&parts.headers, DEVICE).filter(|key| key.len() <= LONGEST_KEY),
            https: state.config.https || (proxied && proto == Some("https")),
        })
    }
}

impl RequestContext {
    /// The cookie that carries a refresh token, as `Set-Cookie` wants it.
    pub fn cookie(&self, token: &str) -> String {
        self.set(COOKIE, token, sessions::LIFETIME)
    }

    /// The cookie by which this browser is known from now on.
    pub fn device_cookie(&self, key: &str) -> String {
        self.set(DEVICE, key, known_devices::LIFETIME)
    }

    /// The network in the keys of limits.
    pub fn network_key(&self) -> String {
        self.network
            .map_or_else(|| "-".to_owned(), |network| network.to_string())
    }

    fn set(&self, name: &str, value: &str, life: Duration) -> String {
        let age = life.whole_seconds();
        let secure = if self.https { "; Secure" } else { "" };
        format!(
            "{name}={value}; Path={COOKIE_PATH}; Max-Age={age}; HttpOnly; SameSite=Strict{secure}"
        )
    }
}

/// The cookie that takes the cookie away.
pub(crate) fn clear_cookie() -> String {
    format!("{COOKIE}=; Path={COOKIE_PATH}; Max-Age=0; HttpOnly; SameSite=Strict")
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn cookie(headers: &HeaderMap, wanted: &str) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, value)| *name == wanted && !value.is_empty())
        .map(|(_, value)| value.to_owned())
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, header};

    use super::{COOKIE, cookie};

    #[test]
    fn the_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.insert(
            header::COOKIE,
            HeaderValue::from_static("theme=dark; tiffin_refresh=abc; x=y"),
        );
        assert_eq!(cookie(&headers, COOKIE).as_deref(), Some("abc"));
        headers.insert(header::COOKIE, HeaderValue::from_static("tiffin_refresh="));
        assert_eq!(cookie(&headers, COOKIE), None);
    }
}
