//! The uploader: an account, or any client with the anonymous key.

use std::net::IpAddr;

use axum::extract::FromRequestParts;
use http::{HeaderMap, header, request::Parts};
use tiffin_chassis::{Caller, Limit, Network, Problem};
use tiffin_events::UserId;

use crate::{State, error::for_stock_client, limits};

/// The uploader. The stock client of the hosted backend sends the anonymous key as `apikey` and, before
/// sign-in, as the bearer token too.
#[derive(Clone, Debug)]
pub enum Uploader {
    Account(UserId),
    /// From this network.
    Anonymous(Option<IpAddr>),
}

impl Uploader {
    pub fn owner(&self) -> Option<UserId> {
        match self {
            Self::Account(id) => Some(*id),
            Self::Anonymous(_) => None,
        }
    }

    /// The counter of its uploads.
    pub fn counter(&self) -> String {
        match self {
            Self::Account(id) => format!("uploads:account:{id}"),
            Self::Anonymous(Some(network)) => format!("uploads:network:{network}"),
            Self::Anonymous(None) => "uploads:network".to_owned(),
        }
    }

    /// The limit of its uploads.
    pub fn limit(&self) -> Limit {
        match self {
            Self::Account(_) => limits::OF_ACCOUNT,
            Self::Anonymous(_) => limits::ANONYMOUS,
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
            .is_some_and(|key| has_key(&parts.headers, key));
        if is_anonymous {
            let Network(network) = Network::from_request_parts(parts, state).await?;
            return Ok(Self::Anonymous(network));
        }
        let caller = Caller::from_request_parts(parts, state).await;
        let caller = caller.map_err(for_stock_client)?;
        Ok(Self::Account(caller.id))
    }
}

/// True if a request shows the key and no other token.
fn has_key(headers: &HeaderMap, key: &str) -> bool {
    let token = text(headers, "authorization").map(|value| {
        let token = value.split_once(' ').map_or("", |(_, token)| token);
        token.trim() == key
    });
    let named = text(headers, "apikey") == Some(key);
    token.unwrap_or(named && !headers.contains_key(header::AUTHORIZATION))
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
            assert_eq!(has_key(&map, "key"), anonymous, "{headers:?}");
        }
    }
}
