//! Who uploads: somebody with an account, or anybody with the anonymous key.

use std::net::{IpAddr, Ipv6Addr};

use axum::extract::FromRequestParts;
use http::{HeaderMap, header, request::Parts};
use tiffin_chassis::{Caller, Peer, Problem};
use tiffin_events::UserId;

use crate::{State, store::limits::Counted};

/// Who uploads. The stock client of the hosted backend shows the anonymous key as `apikey` and, where
/// nobody is signed in, as the bearer token too.
#[derive(Clone, Debug)]
pub enum Uploader {
    Account(UserId),
    /// From this network: an IPv4 address, or the /64 of an IPv6 address, which is one household.
    Anonymous(Option<IpAddr>),
}

impl Uploader {
    pub fn owner(&self) -> Option<UserId> {
        match self {
            Self::Account(id) => Some(*id),
            Self::Anonymous(_) => None,
        }
    }

    pub fn counted(&self) -> Counted {
        match self {
            Self::Account(id) => Counted::Account(*id),
            Self::Anonymous(network) => Counted::Network(*network),
        }
    }
}

impl FromRequestParts<State> for Uploader {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Problem> {
        let is_anonymous = state
            .config
            .anonymous_key
            .as_deref()
            .is_some_and(|key| shows(&parts.headers, key));
        if is_anonymous {
            return Ok(Self::Anonymous(address(parts, state).map(network)));
        }
        let caller = Caller::from_request_parts(parts, state).await?;
        Ok(Self::Account(caller.id))
    }
}

/// Whether a request shows the key and no other token.
fn shows(headers: &HeaderMap, key: &str) -> bool {
    let token = text(headers, "authorization").map(|value| {
        let token = value.split_once(' ').map_or("", |(_, token)| token);
        token.trim() == key
    });
    let named = text(headers, "apikey") == Some(key);
    token.unwrap_or(named && !headers.contains_key(header::AUTHORIZATION))
}

fn address(parts: &Parts, state: &State) -> Option<IpAddr> {
    let peer = parts.extensions.get::<Peer>().map(|Peer(peer)| peer.ip());
    let proxied = state.config.behind_proxy;
    let told = proxied.then(|| forwarded(&parts.headers)).flatten();
    told.or(peer)
}

/// The address that our own proxy appended: the last one; those before it anybody can write.
fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?;
    last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}

fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn a_session_counts_more_than_the_anonymous_key_beside_it() {
        for (headers, anonymous) in [
            (&[("apikey", "key")][..], true),
            (&[("authorization", "Bearer key")], true),
            (&[("authorization", "Bearer key"), ("apikey", "key")], true),
            (&[("authorization", "Bearer jwt"), ("apikey", "key")], false),
            (&[("apikey", "wrong")], false),
            (&[], false),
        ] {
            let map = headers
                .iter()
                .map(|(name, value)| {
                    (
                        HeaderName::from_static(name),
                        HeaderValue::from_static(value),
                    )
                })
                .collect();
            assert_eq!(shows(&map, "key"), anonymous, "{headers:?}");
        }
    }
}
