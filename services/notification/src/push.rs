//! Web push: a message is encrypted for one browser (RFC 8291), signed with the service's key (RFC 8292),
//! and sent to the push service that the browser's subscription names (RFC 8030).

mod address;
mod encryption;
mod vapid;

use std::{fmt, sync::Arc, time::Duration};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use http::{StatusCode, header};
use tiffin_chassis::{Env, env::EnvError};
use time::OffsetDateTime;
use url::Url;
use uuid::Uuid;

pub use address::BadEndpoint;
pub use encryption::{AUTH_LENGTH, KEY_LENGTH};
pub use vapid::Key;

/// The longest wait for a push service's answer. A message without an answer is sent again; its
/// tag makes the browser show it once.
const REPLY_TIMEOUT: Duration = Duration::from_secs(15);
/// The seconds for which a push service keeps a message for a browser that is offline. Older messages are
/// stale.
const TTL_SECONDS: u32 = 6 * 60 * 60;

/// A browser that is subscribed to push.
#[derive(Clone, Debug)]
pub struct Browser {
    pub endpoint: String,
    /// Its public key, an uncompressed point of P-256.
    pub p256dh: Vec<u8>,
    /// Its secret.
    pub auth: Vec<u8>,
}

/// The result of sending a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushOutcome {
    Accepted,
    /// The subscription has ended.
    Expired,
    /// A sentence without names.
    Rejected(&'static str),
    Retry(&'static str),
}

/// Sends messages to push services. Cheap to clone.
#[derive(Clone)]
pub struct Push {
    http: reqwest::Client,
    /// The contact address for push services: a `mailto:` or `https:` address.
    contact: Arc<str>,
    /// True if push services may run on this machine and without TLS.
    loopback: bool,
}

impl fmt::Debug for Push {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Push")
            .field("contact", &self.contact)
            .finish_non_exhaustive()
    }
}

impl Push {
    /// Reads `TIFFIN_PUSH_CONTACT`, which is `TIFFIN_PUBLIC_URL` by default, and
    /// `TIFFIN_PUSH_LOOPBACK` (`true` for push services on this machine).
    pub fn new(env: &Env) -> Result<Self, EnvError> {
        let site = env
            .get("TIFFIN_PUBLIC_URL")
            .filter(|site| site.starts_with("https://"));
        let contact = env.get("TIFFIN_PUSH_CONTACT").or(site);
        let loopback = env.parse("TIFFIN_PUSH_LOOPBACK")?.unwrap_or(false);
        // A redirection could lead to a forbidden address.
        let http = reqwest::Client::builder()
            .timeout(REPLY_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .dns_resolver(Arc::new(address::PublicOnly { loopback }))
            .build();
        Ok(Self {
            http: http.map_err(|error| EnvError::Invalid {
                name: "TIFFIN_PUSH_CONTACT",
                reason: error.to_string(),
            })?,
            contact: contact.unwrap_or("mailto:no-reply@tiffin.local").into(),
            loopback,
        })
    }

    /// The endpoint's URL, if messages may go there: it uses `https` and is not in a private network.
    pub fn accepts(&self, endpoint: &str) -> Result<Url, BadEndpoint> {
        address::check(endpoint, self.loopback)
    }

    /// Sends a message. It replaces an undelivered one with the same `id`.
    pub async fn send(
        &self,
        key: &Key,
        browser: &Browser,
        id: Uuid,
        message: &[u8],
        now: OffsetDateTime,
    ) -> PushOutcome {
        let Ok(endpoint) = self.accepts(&browser.endpoint) else {
            return PushOutcome::Rejected("The push service's address is not allowed.");
        };
        let Ok(body) = encryption::encrypt(message, &browser.p256dh, &browser.auth) else {
            return PushOutcome::Rejected("The browser's key can't be used.");
        };
        let Ok(authorization) = key.authorization(&endpoint, &self.contact, now) else {
            return PushOutcome::Retry("The message could not be signed.");
        };
        let request = self
            .http
            .post(endpoint)
            .header(header::AUTHORIZATION, authorization)
            .header(header::CONTENT_TYPE, "application/octet-stream")
            .header(header::CONTENT_ENCODING, "aes128gcm")
            .header("ttl", TTL_SECONDS)
            .header("urgency", "high")
            .header("topic", URL_SAFE_NO_PAD.encode(id.as_bytes()))
            .body(body);
        match request.send().await {
            Ok(response) => outcome(response.status()),
            Err(error) => {
                tracing::debug!(error = %error.without_url(), "a push service can't be reached");
                PushOutcome::Retry("The push service can't be reached.")
            }
        }
    }
}

fn outcome(status: StatusCode) -> PushOutcome {
    match status {
        _ if status.is_success() => PushOutcome::Accepted,
        StatusCode::NOT_FOUND | StatusCode::GONE => PushOutcome::Expired,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => {
            PushOutcome::Retry("The push service wants us to wait.")
        }
        _ if status.is_server_error() => PushOutcome::Retry("The push service has a fault."),
        _ => PushOutcome::Rejected("The push service refused it."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_push_service_answers_says_what_to_do() {
        for (status, expected) in [
            (201, PushOutcome::Accepted),
            (202, PushOutcome::Accepted),
            (404, PushOutcome::Expired),
            (410, PushOutcome::Expired),
            (
                429,
                PushOutcome::Retry("The push service wants us to wait."),
            ),
            (503, PushOutcome::Retry("The push service has a fault.")),
            (302, PushOutcome::Rejected("The push service refused it.")),
            (400, PushOutcome::Rejected("The push service refused it.")),
            (413, PushOutcome::Rejected("The push service refused it.")),
        ] {
            assert_eq!(outcome(StatusCode::from_u16(status).unwrap()), expected);
        }
    }
}
