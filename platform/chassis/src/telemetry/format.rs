//! Log lines as JSON: one object a line, with the trace it belongs to.

use std::{
    fmt::{self, Debug},
    sync::{Arc, OnceLock},
};

use opentelemetry::trace::TraceContextExt;
use serde_json::{Map, Value};
use tiffin_events::Clock;
use time::format_description::well_known::Rfc3339;
use tracing::{
    Dispatch, Event, Subscriber,
    dispatcher::WeakDispatch,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};
use tracing_subscriber::{
    Layer,
    field::RecordFields,
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer},
    layer::Context,
    registry::LookupSpan,
};

/// The subscriber that a layer and a formatter belong to, once it is whole: it alone knows the traces.
pub(super) type WeakSubscriber = Arc<OnceLock<WeakDispatch>>;

/// A layer that keeps the fields of each span for the lines that are written inside it.
pub(super) struct SpanFieldsLayer(pub(super) WeakSubscriber);

#[derive(Default)]
struct SpanFields(Map<String, Value>);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for SpanFieldsLayer {
    fn on_register_dispatch(&self, whole: &Dispatch) {
        // Set once: there is one subscriber.
        let _ = self.0.set(whole.downgrade());
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = SpanFields::default();
        attributes.record(&mut fields);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(fields);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(fields) = span.extensions_mut().get_mut::<SpanFields>()
        {
            values.record(fields);
        }
    }
}

impl Visit for SpanFields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0.insert(field.name().to_owned(), value.into());
    }
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name().to_owned(), value.into());
    }
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), value.into());
    }
    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name().to_owned(), value.into());
    }
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.into());
    }
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0
            .insert(field.name().to_owned(), format!("{value:?}").into());
    }
}

/// The formatter's own copy of a span's fields, which [`SpanFieldsLayer`] makes unnecessary.
pub(super) struct NoFields;

impl<'writer> FormatFields<'writer> for NoFields {
    fn format_fields<R: RecordFields>(&self, _writer: Writer<'writer>, _fields: R) -> fmt::Result {
        Ok(())
    }
}

/// `{"timestamp":…,"level":…,"target":…,"message":…,"trace_id":…,"span_id":…,…fields}`.
pub(super) struct JsonLines(pub(super) WeakSubscriber);

impl<S, N> FormatEvent<S, N> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = SpanFields::default();
        for span in context
            .event_scope()
            .into_iter()
            .flat_map(tracing_subscriber::registry::Scope::from_root)
        {
            if let Some(fields) = span.extensions().get::<SpanFields>() {
                line.0.extend(fields.0.clone());
            }
        }
        // The OpenTelemetry spellings say the same as `service`, `http.route` and the status.
        line.0.retain(|name, _| !name.starts_with("otel."));
        event.record(&mut line);
        let metadata = event.metadata();
        line.0.insert(
            "timestamp".to_owned(),
            Clock::system()
                .now()
                .format(&Rfc3339)
                .map_err(|_| fmt::Error)?
                .into(),
        );
        line.0
            .insert("level".to_owned(), metadata.level().as_str().into());
        line.0.insert("target".to_owned(), metadata.target().into());
        let whole = self.0.get().and_then(WeakDispatch::upgrade);
        if let Some((span, whole)) = context.lookup_current().zip(whole)
            && let Some(trace) = tracing_opentelemetry::get_otel_context(&span.id(), &whole)
        {
            let trace = trace.span().span_context().clone();
            line.0
                .insert("trace_id".to_owned(), trace.trace_id().to_string().into());
            line.0
                .insert("span_id".to_owned(), trace.span_id().to_string().into());
        }
        writeln!(writer, "{}", Value::Object(line.0))
    }
}

#[cfg(test)]
mod tests {
    use std::{io, sync::Mutex};

    use opentelemetry::trace::TracerProvider;
    use opentelemetry_sdk::trace::SdkTracerProvider;
    use tracing_subscriber::{Registry, layer::SubscriberExt};

    use super::*;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_is_one_object_with_the_fields_of_its_spans_and_its_trace() {
        let written = Written::default();
        let (writer, whole) = (written.clone(), WeakSubscriber::default());
        let lines = tracing_subscriber::fmt::layer::<Registry>()
            .with_writer(move || writer.clone())
            .event_format(JsonLines(whole.clone()))
            .fmt_fields(NoFields);
        let traces = SdkTracerProvider::builder().build();
        let subscriber = tracing_subscriber::registry()
            .with(lines)
            .with(SpanFieldsLayer(whole))
            .with(tracing_opentelemetry::layer().with_tracer(traces.tracer("test")));
        tracing::subscriber::with_default(subscriber, || {
            let span = tracing::info_span!(
                "request",
                otel.kind = "server",
                service = "order",
                user = tracing::field::Empty
            );
            span.record("user", "nimal");
            let _entered = span.entered();
            tracing::info!(orders = 2, "two\nlines");
        });
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        let line: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (&line["message"], &line["orders"]),
            (&Value::from("two\nlines"), &Value::from(2))
        );
        assert_eq!(
            (&line["service"], &line["user"], line.get("otel.kind")),
            (&"order".into(), &"nimal".into(), None)
        );
        assert_eq!(
            (&line["level"], line["trace_id"].as_str().map(str::len)),
            (&"INFO".into(), Some(32))
        );
    }
}
