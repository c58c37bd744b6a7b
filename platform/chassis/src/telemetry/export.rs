//! Spans to an OpenTelemetry collector: OTLP over HTTP.

use std::sync::Arc;

use opentelemetry_otlp::{Protocol, WithExportConfig};
use opentelemetry_sdk::{
    Resource,
    error::{OTelSdkError, OTelSdkResult},
    trace::{SpanData, SpanExporter},
};
use tokio::runtime::Handle;

/// An exporter that sends on the runtime in which it was created: batches come from a thread that has none.
#[derive(Debug)]
pub(super) struct RuntimeExporter {
    inner: Arc<opentelemetry_otlp::SpanExporter>,
    runtime: Handle,
}

/// An exporter to the collector at `endpoint` (`http://collector:4318`).
pub(super) fn exporter(endpoint: &str) -> Result<RuntimeExporter, String> {
    let runtime = Handle::try_current().map_err(|error| error.to_string())?;
    let inner = opentelemetry_otlp::SpanExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(format!("{}/v1/traces", endpoint.trim_end_matches('/')))
        .build()
        .map_err(|error| error.to_string())?;
    Ok(RuntimeExporter {
        inner: Arc::new(inner),
        runtime,
    })
}

impl SpanExporter for RuntimeExporter {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let inner = self.inner.clone();
        let sent = self.runtime.spawn(async move { inner.export(batch).await });
        sent.await
            .unwrap_or_else(|error| Err(OTelSdkError::InternalFailure(error.to_string())))
    }

    fn set_resource(&mut self, resource: &Resource) {
        if let Some(inner) = Arc::get_mut(&mut self.inner) {
            inner.set_resource(resource);
        }
    }
}
