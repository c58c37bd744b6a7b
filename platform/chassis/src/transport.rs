//! Transport security for browsers: a site that was opened by https is opened by nothing else from then on.

use axum::{
    Router,
    extract::Request,
    middleware::{self, Next},
    response::Response,
};
use http::{HeaderMap, HeaderValue, header, uri::Authority};
use url::Url;

use crate::{BehindProxy, Env, env::EnvError};

/// Two years, for subdomains too: at least one year for all of them is what ASVS 5.0 (3.4.1) asks from
/// level 2 on.
const ALWAYS_HTTPS: HeaderValue = HeaderValue::from_static("max-age=63072000; includeSubDomains");

/// Tells whether a request came by https. The server speaks plain HTTP: a proxy in front ends TLS.
#[derive(Clone, Debug, Default)]
pub struct Transport {
    behind_proxy: BehindProxy,
    /// Host, with its port where it is not 443, of a site whose configured address is https.
    secure_host: Option<String>,
}

impl Transport {
    /// `TIFFIN_BEHIND_PROXY`, and `TIFFIN_PUBLIC_URL` as the operator has set it.
    pub fn read(env: &Env) -> Result<Self, EnvError> {
        let site: Option<Url> = env.parse("TIFFIN_PUBLIC_URL").unwrap_or_default();
        let site = site.filter(|site| site.scheme() == "https");
        Ok(Self {
            behind_proxy: BehindProxy::read(env)?,
            secure_host: site.and_then(|site| {
                let host = site.host_str()?.to_owned();
                Some(match site.port() {
                    Some(port) => format!("{host}:{port}"),
                    None => host,
                })
            }),
        })
    }

    /// Adds `Strict-Transport-Security` to every answer to a request that came by https, and to no other
    /// (RFC 6797, section 7.2).
    pub fn wrap(self, app: Router) -> Router {
        app.layer(middleware::from_fn(move |request: Request, next: Next| {
            let is_secure = self.is_secure(request.headers());
            async move { answer(request, next, is_secure).await }
        }))
    }

    /// Our own proxy's word counts. Without it, a request came by https if it names the host of an https
    /// site.
    fn is_secure(&self, headers: &HeaderMap) -> bool {
        let BehindProxy(is_proxied) = self.behind_proxy;
        if let Some(proxied) = is_proxied.then(|| forwarded(headers)).flatten() {
            return proxied.eq_ignore_ascii_case("https");
        }
        let named = headers
            .get(header::HOST)
            .and_then(|host| Authority::try_from(host.as_bytes()).ok());
        match (&self.secure_host, named) {
            (Some(site), Some(named)) => {
                let named = named.as_str();
                named
                    .strip_suffix(":443")
                    .unwrap_or(named)
                    .eq_ignore_ascii_case(site)
            }
            _ => false,
        }
    }
}

/// The protocol that our own proxy appended: the last one; anyone can write those before it.
fn forwarded(headers: &HeaderMap) -> Option<&str> {
    let last = headers.get_all("x-forwarded-proto").iter().next_back()?;
    last.to_str().ok()?.rsplit(',').next().map(str::trim)
}

async fn answer(request: Request, next: Next, is_secure: bool) -> Response {
    let mut response = next.run(request).await;
    if is_secure {
        let headers = response.headers_mut();
        headers.insert(header::STRICT_TRANSPORT_SECURITY, ALWAYS_HTTPS);
    }
    response
}

#[cfg(test)]
mod tests {
    use axum::{body::Body, routing::get};
    use tower::ServiceExt;

    use super::*;

    async fn answered(
        settings: &[(&str, &str)],
        headers: &[(&str, &str)],
        path: &str,
    ) -> Option<String> {
        let env = Env::from_pairs(settings.iter().copied());
        let app = Router::new().route("/", get(async || "fine"));
        let app = Transport::read(&env).unwrap().wrap(app);
        let request = headers
            .iter()
            .fold(Request::get(path), |request, (name, value)| {
                request.header(*name, *value)
            });
        let response = app.oneshot(request.body(Body::empty()).unwrap()).await;
        let value = response
            .unwrap()
            .headers()
            .get("strict-transport-security")
            .cloned();
        value.map(|value| value.to_str().unwrap().to_owned())
    }

    #[tokio::test]
    async fn https_sets_strict_transport_security() {
        let proxied = ("TIFFIN_BEHIND_PROXY", "true");
        let site = ("TIFFIN_PUBLIC_URL", "https://food.example");
        let whole = Some("max-age=63072000; includeSubDomains".to_owned());
        let by = |protocol| [("host", "food.example"), ("x-forwarded-proto", protocol)];
        for path in ["/", "/nothing"] {
            assert_eq!(answered(&[proxied], &by("https"), path).await, whole);
            assert_eq!(answered(&[proxied], &by("http, HTTPS"), path).await, whole);
            assert_eq!(
                answered(&[site], &[("host", "food.example")], path).await,
                whole
            );
            assert_eq!(
                answered(&[site], &[("host", "Food.example:443")], path).await,
                whole
            );
        }
    }

    #[tokio::test]
    async fn plain_http_gets_no_data() {
        let proxied = ("TIFFIN_BEHIND_PROXY", "true");
        let site = ("TIFFIN_PUBLIC_URL", "https://food.example");
        let plain_site = ("TIFFIN_PUBLIC_URL", "http://food.example");
        let by = |protocol| [("host", "food.example"), ("x-forwarded-proto", protocol)];
        for (settings, headers) in [
            // Anyone can write it without a proxy of ours.
            (&[][..], &by("https")[..]),
            (&[plain_site], &by("https")),
            (&[proxied], &by("http")),
            (&[proxied], &by("https, http")),
            (&[proxied], &[("host", "food.example")]),
            (&[proxied, site], &by("http")),
            (&[site], &[("host", "127.0.0.1:8080")]),
            (&[], &[("host", "food.example")]),
        ] {
            assert_eq!(
                answered(settings, headers, "/").await,
                None,
                "{settings:?} {headers:?}"
            );
        }
    }
}
