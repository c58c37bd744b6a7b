//! Logs, traces and metrics.

mod export;
mod format;

use std::{io::IsTerminal, sync::OnceLock, time::Duration};

use http::HeaderMap;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use opentelemetry::{
    propagation::{Extractor, TextMapPropagator},
    trace::{TraceContextExt, TracerProvider},
};
use opentelemetry_sdk::{Resource, propagation::TraceContextPropagator, trace::SdkTracerProvider};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::{
    EnvFilter, Layer, Registry, layer::SubscriberExt, util::SubscriberInitExt,
};

use crate::Env;

/// The log filter unless `RUST_LOG` is set.
const DEFAULT_FILTER: &str =
    "info,sqlx=warn,async_nats=warn,hyper=warn,opentelemetry=warn,opentelemetry_sdk=warn";

/// Upper bounds of the buckets of every histogram of seconds.
const SECONDS: [f64; 13] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];

/// Ends tracing cleanly: what is still buffered goes out when it is dropped.
pub struct Telemetry {
    traces: SdkTracerProvider,
}

impl Drop for Telemetry {
    fn drop(&mut self) {
        // It may have been shut down already, and nothing reads the error.
        let _ = self.traces.shutdown_with_timeout(Duration::from_secs(3));
    }
}

/// Starts logging: JSON lines when `TIFFIN_LOG_FORMAT=json` or standard error is no terminal, filtered by
/// `RUST_LOG`; OTLP traces when `OTEL_EXPORTER_OTLP_ENDPOINT` is set; the metrics recorder.
/// `TIFFIN_LOG_FORMAT=pretty` asks for readable lines anywhere. Called again, it leaves the first
/// logging as it is.
pub fn start(env: &Env) -> Telemetry {
    let (traces, error) = provider(env);
    let is_json = match env.get("TIFFIN_LOG_FORMAT") {
        Some("json") => true,
        Some("pretty") => false,
        _ => !std::io::stderr().is_terminal(),
    };
    let subscriber_handle = format::WeakSubscriber::default();
    let lines = tracing_subscriber::fmt::layer::<Registry>().with_writer(std::io::stderr);
    let lines = if is_json {
        lines
            .event_format(format::JsonLines(subscriber_handle.clone()))
            .fmt_fields(format::NoFields)
            .boxed()
    } else {
        lines
            .with_target(false)
            .with_ansi(std::io::stderr().is_terminal())
            .boxed()
    };
    let filter = EnvFilter::try_new(env.get("RUST_LOG").unwrap_or(DEFAULT_FILTER));
    let subscriber = tracing_subscriber::registry()
        .with(lines)
        .with(format::SpanFieldsLayer(subscriber_handle))
        .with(tracing_opentelemetry::layer().with_tracer(traces.tracer("tiffin")))
        .with(filter.unwrap_or_else(|_| EnvFilter::new(DEFAULT_FILTER)));
    // A second start in one process (tests) finds the first one's subscriber in place.
    let _ = subscriber.try_init();
    if let Some(error) = error {
        tracing::warn!(error, "traces are not exported");
    }
    metrics();
    keep_metrics_small();
    Telemetry { traces }
}

/// The current span as a W3C `traceparent`, to carry into an event.
pub fn traceparent() -> Option<String> {
    let context = Span::current().context();
    let span = context.span();
    let span = span.span_context();
    span.is_valid().then(|| {
        format!(
            "00-{}-{}-{:02x}",
            span.trace_id(),
            span.span_id(),
            span.trace_flags().to_u8()
        )
    })
}

/// Makes `span` part of the trace that a request names in its `traceparent`.
pub(crate) fn follow(span: &Span, headers: &HeaderMap) {
    if headers.contains_key("traceparent") {
        let parent = TraceContextPropagator::new().extract(&Headers(headers));
        // There is no trace where nothing records them (tests).
        let _ = span.set_parent(parent);
    }
}

/// The metrics recorder of this process, installed by the first call.
pub fn metrics() -> &'static PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    RECORDER.get_or_init(|| {
        let builder = PrometheusBuilder::new();
        let builder = builder
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
            .unwrap_or_else(|_| PrometheusBuilder::new());
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("another metrics recorder is installed; /metrics stays empty");
        }
        handle
    })
}

/// Samples wait in memory until they are scraped; without a scraper this task drains them.
fn keep_metrics_small() {
    static STARTED: OnceLock<()> = OnceLock::new();
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        return;
    };
    STARTED.get_or_init(|| {
        runtime.spawn(async {
            loop {
                tokio::time::sleep(Duration::from_secs(10)).await;
                metrics().run_upkeep();
            }
        });
    });
}

/// Makes trace ids always; sends spans only where the environment says where to.
fn provider(env: &Env) -> (SdkTracerProvider, Option<String>) {
    let name = env.get("OTEL_SERVICE_NAME").unwrap_or("tiffin").to_owned();
    let builder = SdkTracerProvider::builder()
        .with_resource(Resource::builder().with_service_name(name).build());
    match env.get("OTEL_EXPORTER_OTLP_ENDPOINT").map(export::exporter) {
        None => (builder.build(), None),
        Some(Ok(exporter)) => (builder.with_batch_exporter(exporter).build(), None),
        Some(Err(error)) => (builder.build(), Some(error)),
    }
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(|value| value.to_str().ok())
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(http::HeaderName::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn starting_twice_is_harmless_and_spans_follow_the_request() {
        let env = Env::from_pairs([("TIFFIN_LOG_FORMAT", "json"), ("RUST_LOG", "info")]);
        let (_first, _second) = (start(&env), start(&env));
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let headers = HeaderMap::from_iter([(
            http::HeaderName::from_static("traceparent"),
            trace.parse().unwrap(),
        )]);
        let span = tracing::info_span!("request");
        follow(&span, &headers);
        let ours = span.in_scope(traceparent).unwrap();
        assert_eq!(ours[..35], trace[..35]);
        assert_ne!(ours[36..52], trace[36..52]);
    }
}
