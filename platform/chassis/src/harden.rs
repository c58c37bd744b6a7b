//! The layers around every request, whichever service answers it.

use std::{any::Any, panic::AssertUnwindSafe, time::Duration};

use axum::{
    Router,
    extract::{DefaultBodyLimit, MatchedPath, Request},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;
use http::{HeaderName, HeaderValue, Method, StatusCode, header};
use tiffin_events::Clock;
use tokio::time::Instant;
use tower_http::{
    CompressionLevel,
    compression::{
        CompressionLayer, Predicate,
        predicate::{NotForContentType, SizeAbove},
    },
    cors::{AllowOrigin, CorsLayer},
};
use tracing::{Instrument, Span, field::Empty};

use crate::{
    Problem,
    refusal::{Failure, NoOperation},
    telemetry,
};

/// The largest body, in bytes. A route may set its own `DefaultBodyLimit`.
const LARGEST_BODY: usize = 1024 * 1024;
/// The time-out of an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// Answers of fewer bytes fit into one packet as they are.
const ONE_PACKET: u16 = 1024;
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Wraps a service's routes in what each needs: request spans with trace context, metrics, panic
/// safety, a body limit of 1 MiB, a time-out of 30 s, compressed answers, and 404/405 as problems.
pub fn harden(service: &'static str, routes: Router) -> Router {
    let routes = routes
        .fallback(async || Problem::from(NoOperation::Path))
        .method_not_allowed_fallback(async || Problem::from(NoOperation::Method));
    wrap(service, routes)
}

/// The same without the answers to unknown paths and methods, for routes that are merged with others and so
/// must not have a fallback.
pub fn wrap(service: &'static str, routes: Router) -> Router {
    // No secret of a browser's is guessed by an answer's length: tokens travel in headers, which pages
    // of other sites can't have sent.
    let worth_it = SizeAbove::new(ONE_PACKET)
        .and(NotForContentType::IMAGES)
        .and(NotForContentType::const_new("application/zip"));
    let compression = CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(worth_it);
    routes
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(compression)
        .layer(middleware::from_fn(move |request, next| {
            handle(service, ANSWER_TIMEOUT, request, next)
        }))
}

/// Lets the web app call from these other origins (`https://food.example`), with credentials. Anything
/// else, such as `*`, is no origin and is ignored.
pub fn cors(origins: &[String]) -> CorsLayer {
    let origins = origins
        .iter()
        .map(|origin| origin.trim_end_matches('/'))
        .filter(|origin| origin.starts_with("http://") || origin.starts_with("https://"))
        .filter_map(|origin| HeaderValue::from_str(origin).ok());
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_credentials(true)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CACHE_CONTROL,
            header::CONTENT_TYPE,
            HeaderName::from_static("apikey"),
            HeaderName::from_static("idempotency-key"),
            HeaderName::from_static("traceparent"),
            HeaderName::from_static("x-client-info"),
            HeaderName::from_static("x-upsert"),
            REQUEST_ID,
        ])
        .expose_headers([
            header::LINK,
            header::LOCATION,
            header::RETRY_AFTER,
            HeaderName::from_static("tiffin-count"),
            HeaderName::from_static("tiffin-segments-left"),
            REQUEST_ID,
        ])
        .max_age(Duration::from_hours(1))
}

async fn handle(
    service: &'static str,
    timeout: Duration,
    mut request: Request,
    next: Next,
) -> Response {
    let start = Instant::now();
    let path = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "unmatched".to_owned(), |path| path.as_str().to_owned());
    let method = method_name(request.method());
    let id = request_id(&request);
    request.headers_mut().insert(REQUEST_ID, id.clone());
    let span = span(service, method, &path, &id, &request);
    let is_private = request.headers().contains_key(header::AUTHORIZATION)
        || request.headers().contains_key(header::COOKIE);

    let mut response = answer(request, next, timeout)
        .instrument(span.clone())
        .await;

    let status = response.status();
    span.record("http.response.status_code", status.as_u16());
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
    let labels = [
        ("service", service.to_owned()),
        ("method", method.to_owned()),
        ("path", path),
        ("status", status.as_str().to_owned()),
    ];
    metrics::counter!("http_requests_total", &labels).increment(1);
    metrics::histogram!("http_request_duration_seconds", &labels).record(start.elapsed());
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id);
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    // The rest of the body is not waited for (RFC 9110, section 15.5.9).
    if status == StatusCode::REQUEST_TIMEOUT {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    // What a caller is shown stays out of caches (ASVS 14.3.2), unless the handler says otherwise.
    if is_private {
        headers
            .entry(header::CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
    }
    response
}

/// The handler's answer, or ours where it panics or takes too long.
async fn answer(request: Request, next: Next, timeout: Duration) -> Response {
    let start = Instant::now();
    let answer = AssertUnwindSafe(next.run(request)).catch_unwind();
    let response = match tokio::time::timeout(timeout, answer).await {
        Ok(Ok(response)) => response,
        Ok(Err(panic)) => {
            Problem::internal(format_args!("panic: {}", panic_text(&*panic))).into_response()
        }
        Err(_) => {
            tracing::error!("the handler took too long; the answer is 503");
            Problem::from(Failure::TookTooLong).into_response()
        }
    };
    tracing::debug!(status = response.status().as_u16(), elapsed = ?start.elapsed(), "answered");
    response
}

fn span(
    service: &'static str,
    method: &str,
    path: &str,
    id: &HeaderValue,
    request: &Request,
) -> Span {
    let span = tracing::info_span!(
        "request",
        otel.name = format!("{method} {path}"),
        otel.kind = "server",
        otel.status_code = Empty,
        service,
        http.request.method = method,
        http.route = path,
        http.response.status_code = Empty,
        request_id = id.to_str().unwrap_or_default(),
        user = Empty,
    );
    telemetry::follow(&span, request.headers());
    span
}

/// The caller's id for the request where it is a plain short word, else a new one.
fn request_id(request: &Request) -> HeaderValue {
    request
        .headers()
        .get(REQUEST_ID)
        .filter(|id| {
            (1..=128).contains(&id.len()) && id.as_bytes().iter().all(u8::is_ascii_graphic)
        })
        .cloned()
        .or_else(|| HeaderValue::from_str(&Clock::system().new_id().to_string()).ok())
        .unwrap_or_else(|| HeaderValue::from_static("-"))
}

/// Methods are labels of metrics, so strangers may not create new ones.
fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        Method::PATCH => "PATCH",
        _ => "OTHER",
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("?")
}

#[cfg(test)]
mod tests;
