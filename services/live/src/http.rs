//! `GET /live`: the handshake of RFC 6455, section 4.2.

use axum::{
    Router,
    extract::{Request, State as Extract},
    response::{IntoResponse, Response},
    routing::get,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use hyper::upgrade::OnUpgrade;
use tiffin_chassis::{Network, Problem, refusals, server};
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use crate::{
    hub::Hub,
    messages::{Command, SocketSlots},
    state::State,
};

/// The length of a key of 16 bytes in base64.
const KEY_LENGTH: usize = 24;

refusals! {
    /// The reason why no socket opens.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Refusal {
        NoKey = 400, "live.key-missing", "Sec-WebSocket-Key is missing or not one.";
        Origin = 403, "live.origin-refused", "Pages of this origin may not connect.";
        NoUpgrade = 426, "live.upgrade-required", "This address speaks websocket, version 13.";
        Full = 503, "live.full", "No more sockets. Please try again.";
    }
}

/// The bridge's one route.
pub fn router(state: State) -> Router {
    Router::new().route("/live", get(live)).with_state(state)
}

async fn live(
    Extract(state): Extract<State>,
    network: Network,
    mut request: Request,
) -> Result<Response, Response> {
    let key = handshake(request.headers()).map_err(|refusal| *refusal)?;
    if !is_allowed(request.headers(), &state.config().origins) {
        let problem = Problem::from(Refusal::Origin);
        return Err(problem.into_response());
    }
    let full = || Problem::from(Refusal::Full).into_response();
    if state.is_stopping() {
        return Err(full());
    }
    let slot = state.take_slot(network).map_err(|_| full())?;
    let slots = SocketSlots::new(slot, request.extensions().get().cloned());
    let accept = derive_accept_key(&key);
    let upgrade = hyper::upgrade::on(&mut request);
    let send_buffer = state.config().limits.send_buffer;
    tokio::spawn(hand_over(
        upgrade,
        slots,
        state.next_hub().clone(),
        send_buffer,
    ));
    let headers = [
        (header::CONNECTION, HeaderValue::from_static("Upgrade")),
        (header::UPGRADE, HeaderValue::from_static("websocket")),
        (
            header::SEC_WEBSOCKET_ACCEPT,
            HeaderValue::try_from(accept)
                .map_err(|error| Problem::internal(error).into_response())?,
        ),
    ];
    Ok((StatusCode::SWITCHING_PROTOCOLS, headers).into_response())
}

/// Passes the bare connection to a hub once the answer is sent.
async fn hand_over(upgrade: OnUpgrade, slots: SocketSlots, hub: Hub, send_buffer: usize) {
    let upgraded = match upgrade.await {
        Ok(upgraded) => upgraded,
        Err(error) => return tracing::debug!(%error, "a connection was not upgraded to a socket"),
    };
    let Ok((stream, early)) = server::into_tcp(upgraded) else {
        return tracing::error!("the connection of a socket is not plain TCP");
    };
    let sized = socket2::SockRef::from(&stream).set_send_buffer_size(send_buffer);
    match sized.and_then(|()| stream.into_std()) {
        Ok(stream) => {
            slots.become_socket();
            hub.send(Command::Accept {
                stream,
                early,
                slots,
            });
        }
        Err(error) => tracing::debug!(%error, "a socket ended before a hub took it"),
    }
}

/// The client's key, where the request is a websocket handshake that we can take.
fn handshake(headers: &HeaderMap) -> Result<Vec<u8>, Box<Response>> {
    let wants = |name: HeaderName, word: &str| {
        let values = headers.get_all(name).iter();
        let mut words = values
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','));
        words.any(|value| value.trim().eq_ignore_ascii_case(word))
    };
    let is_version_13 = headers
        .get(header::SEC_WEBSOCKET_VERSION)
        .is_some_and(|version| version == "13");
    if !wants(header::CONNECTION, "upgrade")
        || !wants(header::UPGRADE, "websocket")
        || !is_version_13
    {
        let problem = Problem::from(Refusal::NoUpgrade);
        let headers = [
            (header::UPGRADE, "websocket"),
            (header::SEC_WEBSOCKET_VERSION, "13"),
        ];
        return Err(Box::new((headers, problem).into_response()));
    }
    let key = headers
        .get(header::SEC_WEBSOCKET_KEY)
        .map(HeaderValue::as_bytes)
        .filter(|key| key.len() == KEY_LENGTH && key.ends_with(b"=="));
    key.map(<[u8]>::to_vec)
        .ok_or_else(|| Box::new(Problem::from(Refusal::NoKey).into_response()))
}

/// Browsers name the page's origin: our own host's and listed ones may connect. Others have none.
fn is_allowed(headers: &HeaderMap, origins: &[String]) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let Ok(origin) = origin.to_str() else {
        return false;
    };
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let own = origin.split_once("://").map(|(_, host)| host);
    let is_own = matches!((own, host), (Some(own), Some(host)) if own.eq_ignore_ascii_case(host));
    is_own || origins.iter().any(|listed| listed == origin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            (
                HeaderName::try_from(*name).unwrap(),
                HeaderValue::try_from(*value).unwrap(),
            )
        });
        pairs.collect()
    }

    const GOOD: [(&str, &str); 4] = [
        ("connection", "keep-alive, Upgrade"),
        ("upgrade", "WebSocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];

    #[test]
    fn a_handshake_is_whole_or_refused() {
        assert!(handshake(&headers(&GOOD)).is_ok());
        for (left_out, status) in [(0, 426), (1, 426), (2, 426), (3, 400)] {
            let mut pairs = GOOD.to_vec();
            pairs.remove(left_out);
            let refused = handshake(&headers(&pairs)).unwrap_err();
            assert_eq!(refused.status().as_u16(), status);
        }
    }

    #[test]
    fn pages_of_our_host_and_listed_ones_may_connect() {
        let listed = ["https://food.example".to_owned()];
        let cases = [
            (None, true),
            (Some("http://localhost:8080"), true),
            (Some("https://food.example"), true),
            (Some("https://food.example.evil"), false),
            (Some("http://localhost:8081"), false),
            (Some("null"), false),
        ];
        for (origin, allowed) in cases {
            let mut pairs = vec![("host", "localhost:8080")];
            pairs.extend(origin.map(|origin| ("origin", origin)));
            assert_eq!(is_allowed(&headers(&pairs), &listed), allowed, "{origin:?}");
        }
    }
}
