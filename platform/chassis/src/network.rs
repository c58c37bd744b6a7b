//! The network that a request comes from. Sign-ups, wrong passwords and uploads are counted by it.

use std::net::{IpAddr, Ipv6Addr};

use axum::extract::{FromRef, FromRequestParts};
use http::{HeaderMap, request::Parts};

use crate::{Env, Peer, Problem, env::EnvError};

/// True if our own proxy is in front and names the client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BehindProxy(pub bool);

impl BehindProxy {
    /// `TIFFIN_BEHIND_PROXY`, `true` or `false`, which it is when left out.
    pub fn read(env: &Env) -> Result<Self, EnvError> {
        Ok(Self(env.parse("TIFFIN_BEHIND_PROXY")?.unwrap_or(false)))
    }
}

/// The client's network: an IPv4 address, or the /64 of an IPv6 address, which is one household. `None`
/// where the server does not know who is at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(pub Option<IpAddr>);

impl<S> FromRequestParts<S> for Network
where
    BehindProxy: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let peer = parts.extensions.get::<Peer>().map(|Peer(peer)| peer.ip());
        let BehindProxy(is_proxied) = BehindProxy::from_ref(state);
        let proxied = is_proxied.then(|| forwarded(&parts.headers)).flatten();
        Ok(Self(proxied.or(peer).map(network)))
    }
}

/// The address that our own proxy appended: the last one; anyone can write those before it.
fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?;
    last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}

pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn only_our_own_proxy_is_believed() {
        let mut headers = HeaderMap::new();
        headers.insert(
            "x-forwarded-for",
            HeaderValue::from_static("203.0.113.9, 198.51.100.7"),
        );
        assert_eq!(forwarded(&headers), "198.51.100.7".parse().ok());
        headers.insert("x-forwarded-for", HeaderValue::from_static("rubbish"));
        assert_eq!(forwarded(&headers), None);
    }

    #[test]
    fn a_household_is_one_network() {
        let of = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(of("::ffff:192.0.2.1"), "192.0.2.1");
    }
}
