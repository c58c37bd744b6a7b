//! The checks of an import's line: it must be an event of its stream as its service could have published
//! it.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use jsonschema::Validator;
use tiffin_bus::read::Logged;
use tiffin_events::{Envelope, SPEC_VERSION, Stream, catalogue, personal, subject};
use time::OffsetDateTime;
use uuid::Uuid;

/// The facts about an event type.
struct EventType {
    entry: catalogue::Entry,
    schema: Option<Validator>,
}

static EVENT_TYPES: LazyLock<HashMap<&'static str, EventType>> = LazyLock::new(|| {
    let entries = catalogue::entries().into_iter();
    entries
        .map(|entry| {
            let schema = (entry.schema)().to_value();
            let schema = jsonschema::options()
                .should_validate_formats(true)
                .build(&schema)
                .ok();
            (entry.kind, EventType { entry, schema })
        })
        .collect()
});

/// The services that appear as actors of events: `tiffin/<service>`.
static SERVICES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let named = EVENT_TYPES
        .values()
        .map(|event_type| event_type.entry.service);
    let others = crate::services::names();
    named
        .chain(others)
        .map(|name| format!("tiffin/{name}"))
        .collect()
});

/// A line that may be stored.
#[derive(Debug)]
pub struct Line {
    pub logged: Logged,
    pub envelope: Envelope,
}

/// Reads and checks a line of an export of `stream`; the error says what is wrong with it.
pub fn check_line(stream: Stream, text: &[u8], now: OffsetDateTime) -> Result<Line, String> {
    let logged = Logged::read(stream, text).map_err(|error| error.to_string())?;
    let envelope: Envelope = serde_json::from_value(logged.envelope.clone())
        .map_err(|error| format!("it is no event: {error}"))?;
    let event_type = EVENT_TYPES
        .get(envelope.kind.as_str())
        .ok_or_else(|| format!("there is no event type {}", envelope.kind))?;
    if event_type.entry.stream != stream {
        return Err(format!("{stream} holds no {}", envelope.kind));
    }
    let id = envelope.subject.to_string();
    let subject = event_type.entry.subject.replace("<id>", &id);
    if logged.subject != subject {
        return Err(format!(
            "a {} of {id} is published on {subject}",
            envelope.kind
        ));
    }
    let source = format!("tiffin/{}", event_type.entry.service);
    if envelope.source != source {
        return Err(format!(
            "{source} publishes {}, and not {}",
            envelope.kind, envelope.source
        ));
    }
    check_envelope(&envelope, now)?;
    check_payload(event_type, &with_sealed_fields(&envelope))?;
    Ok(Line { logged, envelope })
}

/// The event with a value in each of its sealed fields, whose keys are not asked for here.
fn with_sealed_fields(envelope: &Envelope) -> Envelope {
    let mut envelope = envelope.clone();
    for part in &envelope.sealed.0 {
        let (kind, subject) = (&envelope.kind, envelope.subject);
        personal::erase(kind, subject, &mut envelope.data, part.person);
    }
    envelope
}

/// Checks the fields that all events have.
fn check_envelope(envelope: &Envelope, now: OffsetDateTime) -> Result<(), String> {
    if envelope.specversion != SPEC_VERSION {
        return Err(format!(
            "CloudEvents {} is not {SPEC_VERSION}",
            envelope.specversion
        ));
    }
    if envelope.datacontenttype != "application/json" {
        return Err(format!(
            "its payload is {} and no JSON",
            envelope.datacontenttype
        ));
    }
    let actor = &envelope.actor;
    // The log is searched for the id as it is written, so only its canonical form is accepted.
    let is_user = actor
        .parse::<Uuid>()
        .is_ok_and(|id| id.to_string() == *actor);
    if !is_user && !SERVICES.contains(actor) {
        return Err(format!("{actor:?} is neither a user's id nor a service"));
    }
    if envelope.time > now {
        return Err("it lies in the future".to_owned());
    }
    if envelope.sequence < 1 {
        return Err("its sequence begins at 1".to_owned());
    }
    Ok(())
}

/// Checks that the payload fits its schema, can be read, and belongs to the event's own aggregate.
fn check_payload(event_type: &EventType, envelope: &Envelope) -> Result<(), String> {
    let name = event_type.entry.kind;
    let Some(schema) = &event_type.schema else {
        return Err(format!("the schema of {name} can't be read"));
    };
    if let Err(error) = schema.validate(&envelope.data) {
        // The field's value may be personal; the rule that it breaks is not.
        let error = error.masked();
        return Err(format!("its payload is no {name}: {error}"));
    }
    if (event_type.entry.round_trip)(&envelope.data).is_none() {
        return Err(format!("its payload is no {name}"));
    }
    let aggregate = subject::EventType::parse(name).aggregate;
    let named = envelope.data.get(format!("{aggregate}Id"));
    let named = named.and_then(|id| id.as_str()).map(str::parse::<Uuid>);
    match named {
        Some(Ok(id)) if id == envelope.subject => Ok(()),
        Some(_) => Err(format!("its payload is of another {aggregate}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tiffin_events::subject;
    use tiffin_testkit::{sample, samples};

    use super::*;

    fn line_of(stream: Stream, event: &Value) -> Value {
        let kind = event["type"].as_str().unwrap();
        let parts = subject::EventType::parse(kind);
        let id: Uuid = event["subject"].as_str().unwrap().parse().unwrap();
        let mut subject = subject::event(parts.aggregate, id, parts.event);
        if stream == Stream::Positions {
            subject = format!("tiffin.position.{id}");
        }
        json!({ "stream": stream.name(), "seq": 1, "subject": subject, "event": event })
    }

    fn checked(line: &Value) -> Result<Line, String> {
        let stream: Stream = line["stream"].as_str().unwrap().parse().unwrap();
        let text = line.to_string();
        let now = time::macros::datetime!(2026-12-01 00:00 UTC);
        check_line(stream, text.as_bytes(), now)
    }

    #[test]
    fn every_event_that_a_service_publishes_passes() {
        for sample in samples() {
            let stream = EVENT_TYPES[sample.kind.as_str()].entry.stream;
            let event = serde_json::to_value(&sample).unwrap();
            let line = line_of(stream, &event);
            assert!(checked(&line).is_ok(), "{:?}", checked(&line));
        }
    }

    #[test]
    fn what_its_service_would_not_have_published_does_not() {
        let whole = line_of(
            Stream::Payments,
            &serde_json::to_value(sample("tiffin.payment.captured.v1")).unwrap(),
        );
        let other = Uuid::from_u128(77).to_string();
        for (field, value, words) in [
            (
                "/event/source",
                json!("tiffin/order"),
                "tiffin/payment publishes",
            ),
            (
                "/event/type",
                json!("tiffin.payment.stolen.v1"),
                "no event type",
            ),
            (
                "/event/type",
                json!("tiffin.order.placed.v1"),
                "PAYMENTS holds no",
            ),
            ("/event/subject", json!(other), "is published on"),
            (
                "/subject",
                json!(format!("tiffin.payment.{other}.captured")),
                "is published on",
            ),
            ("/event/specversion", json!("0.3"), "CloudEvents 0.3"),
            ("/event/datacontenttype", json!("text/plain"), "no JSON"),
            (
                "/event/actor",
                json!("unknown"),
                "neither a user's id nor a service",
            ),
            (
                "/event/actor",
                json!("tiffin/unknown"),
                "neither a user's id nor a service",
            ),
            ("/event/time", json!("2026-12-01T00:00:01Z"), "future"),
            ("/event/time", json!("yesterday"), "no event"),
            ("/event/sequence", json!(0), "begins at 1"),
            ("/event/id", json!("7"), "no event"),
            ("/event/data/paymentId", json!(other), "of another payment"),
            (
                "/event/data/amount",
                json!("much"),
                "no tiffin.payment.captured.v1",
            ),
            ("/event/data", json!({}), "no tiffin.payment.captured.v1"),
        ] {
            let mut line = whole.clone();
            *line.pointer_mut(field).unwrap() = value;
            let refused = checked(&line).map(|line| line.envelope).unwrap_err();
            assert!(refused.contains(words), "{field}: {refused}");
        }
        assert!(checked(&whole).is_ok());
    }

    #[test]
    fn a_refusal_does_not_say_what_a_personal_field_holds() {
        let mut event = serde_json::to_value(sample("tiffin.user.registered.v1")).unwrap();
        event["data"]["phone"] = json!({ "number": "0771234567" });
        let refused = checked(&line_of(Stream::Users, &event))
            .map(|line| line.envelope)
            .unwrap_err();
        assert!(!refused.contains("0771234567"), "{refused}");
    }
}
