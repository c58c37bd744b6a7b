//! Logs, traces and metrics.

use crate::Env;

/// Ends tracing cleanly: what is still buffered goes out when it is dropped.
pub struct Telemetry;

/// Starts logging: JSON lines when `TIFFIN_LOG_FORMAT=json` or standard error is no terminal, filtered by
/// `RUST_LOG`; OTLP traces when `OTEL_EXPORTER_OTLP_ENDPOINT` is set; the metrics recorder.
pub fn start(_env: &Env) -> Telemetry {
    unimplemented!()
}

/// The current span as a W3C `traceparent`, to carry into an event.
pub fn traceparent() -> Option<String> {
    unimplemented!()
}
