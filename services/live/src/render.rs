//! From what was published to what a browser gets.

use std::{borrow::Cow, fmt::Write};

use serde::Deserialize;
use serde_json::value::RawValue;
use tiffin_events::subject;

use crate::{
    topic_key::TopicKey,
    wire::{
        frame::{Encoder, Frame},
        scan,
    },
};

const POSITION: &str = "tiffin.position.updated.v1";
const NOTIFICATION: &str = "tiffin.notification.created.v1";

/// The part of a published position that is shown. Numbers and times go out as they came in, so
/// they are never parsed.
#[derive(Deserialize)]
struct Position<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    data: Data<'a>,
}

#[derive(Deserialize)]
struct Data<'a> {
    #[serde(borrow)]
    lat: &'a RawValue,
    #[serde(borrow)]
    lng: &'a RawValue,
    #[serde(borrow)]
    accuracy: Option<&'a RawValue>,
    #[serde(borrow)]
    heading: Option<&'a RawValue>,
    #[serde(borrow)]
    speed: Option<&'a RawValue>,
    #[serde(borrow)]
    at: &'a RawValue,
}

#[derive(Deserialize)]
struct Hint<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    data: &'a RawValue,
}

/// The frame of a published position: `prefix` says whose it is. `None` where it can't be read, or
/// is of a kind that browsers do not know.
pub fn position(encoder: &mut Encoder, prefix: &[u8], payload: &[u8]) -> Option<Frame> {
    let shown = scan::position(payload).or_else(|| read(payload))?;
    Some(encoder.text(|out| shown.write(prefix, out)))
}

/// The long way through a published position.
fn read(payload: &[u8]) -> Option<scan::PositionFields<'_>> {
    let position: Position<'_> = serde_json::from_slice(payload).ok()?;
    if position.kind != POSITION {
        return None;
    }
    let data = position.data;
    Some(scan::PositionFields {
        lat: data.lat.get().as_bytes(),
        lng: data.lng.get().as_bytes(),
        accuracy: data.accuracy.map(|value| value.get().as_bytes()),
        heading: data.heading.map(|value| value.get().as_bytes()),
        speed: data.speed.map(|value| value.get().as_bytes()),
        at: data.at.get().as_bytes(),
    })
}

/// Fails where the quick way through a position sees something else than the long one.
#[cfg(any(test, fuzzing))]
pub fn assert_ways_agree(payload: &[u8]) {
    if let (Some(quick), Some(long)) = (scan::position(payload), read(payload)) {
        assert_eq!(quick, long, "the ways through a position differ");
    }
}

/// The frame of a domain event, which stays as it was published.
pub fn event(encoder: &mut Encoder, key: TopicKey, seq: Option<u64>, envelope: &[u8]) -> Frame {
    let mut start = format!(r#"{{"type":"event","topic":"{key}","#);
    if let Some(seq) = seq {
        // Writing into memory does not fail.
        let _ = write!(start, r#""seq":{seq},"#);
    }
    encoder.text(|out| {
        out.extend_from_slice(start.as_bytes());
        out.extend_from_slice(b"\"event\":");
        out.extend_from_slice(envelope);
        out.push(b'}');
    })
}

/// The type of an event.
pub fn kind(envelope: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Kind {
        #[serde(rename = "type")]
        kind: String,
    }
    let Kind { kind } = serde_json::from_slice(envelope).ok()?;
    Some(kind)
}

/// The frame of something that concerns a user: their notification, or a hint to fetch a list again.
pub fn hint(encoder: &mut Encoder, key: TopicKey, envelope: &[u8]) -> Option<Frame> {
    let Hint { kind, data } = serde_json::from_slice(envelope).ok()?;
    if kind != NOTIFICATION {
        return Some(event(encoder, key, None, envelope));
    }
    Some(encoder.text(|out| {
        out.extend_from_slice(b"{\"type\":\"notification\",\"notification\":");
        out.extend_from_slice(data.get().as_bytes());
        out.push(b'}');
    }))
}

/// The kind of a replay's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// A position, or how far it is: only the newest of its conflation key counts.
    Newest(u64),
    Event,
    End,
}

/// Reads what there is to know of a replay's frame; `None` where it is none.
pub fn replayed(payload: &[u8]) -> Option<Replayed> {
    #[derive(Deserialize)]
    struct Shown<'a> {
        #[serde(rename = "type", borrow)]
        kind: Cow<'a, str>,
        #[serde(borrow)]
        subject: Option<Cow<'a, str>>,
        #[serde(borrow)]
        state: Option<Cow<'a, str>>,
    }
    let shown: Shown<'_> = serde_json::from_str(std::str::from_utf8(payload).ok()?).ok()?;
    match (&*shown.kind, shown.state.as_deref()) {
        ("event", _) => {
            let delivery = shown
                .subject
                .and_then(|it| subject::delivery_of_position(&it));
            Some(delivery.map_or(Replayed::Event, |id| {
                Replayed::Newest(TopicKey::Delivery(id).conflation_key())
            }))
        }
        ("progress", Some("running" | "paused")) => Some(Replayed::Newest(0)),
        ("progress", Some(_)) => Some(Replayed::End),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tiffin_events::{DeliveryId, Envelope, UserId, live::ServerFrame};
    use uuid::Uuid;

    use super::*;

    const SAMPLE: &[u8] =
        include_bytes!("../../../events/catalog/samples/tiffin.position.updated.v1.json");

    fn text(frame: &Frame) -> &[u8] {
        let header = if frame[1] < 126 { 2 } else { 4 };
        &frame[header..]
    }

    #[test]
    fn a_position_is_the_frame_of_the_contract() {
        let id = DeliveryId(Uuid::from_u128(7));
        let prefix = format!(r#"{{"type":"position","topic":"delivery:{id}","deliveryId":"{id}","#);
        let frame = position(&mut Encoder::default(), prefix.as_bytes(), SAMPLE).unwrap();
        let read: ServerFrame = serde_json::from_slice(text(&frame)).unwrap();
        let published: Value = serde_json::from_slice(SAMPLE).unwrap();
        let mut shown: Value = serde_json::to_value(&read).unwrap();
        for name in ["lat", "lng", "accuracy", "heading", "speed", "at"] {
            assert_eq!(shown[name], published["data"][name], "{name}");
        }
        assert_eq!(shown["topic"].take(), json!(format!("delivery:{id}")));
        assert!(shown.get("driverId").is_none());
    }

    #[test]
    fn the_quick_way_and_the_long_way_agree() {
        let envelope: Envelope = serde_json::from_slice(SAMPLE).unwrap();
        let compact = serde_json::to_string(&envelope).unwrap();
        let mut encoder = Encoder::default();
        let quick = position(&mut encoder, b"{", compact.as_bytes()).unwrap();
        assert!(scan::position(compact.as_bytes()).is_some());
        assert!(scan::position(SAMPLE).is_none());
        let long = position(&mut encoder, b"{", SAMPLE).unwrap();
        assert_eq!(text(&quick), text(&long));
    }

    #[test]
    fn what_is_no_position_is_not_shown() {
        let mut encoder = Encoder::default();
        let other = String::from_utf8_lossy(SAMPLE).replace("updated.v1", "updated.v2");
        assert!(position(&mut encoder, b"{", other.as_bytes()).is_none());
        assert!(position(&mut encoder, b"{", b"{}").is_none());
        assert!(position(&mut encoder, b"{", &SAMPLE[..40]).is_none());
    }

    #[test]
    fn of_a_replay_only_positions_and_progress_may_be_left_out() {
        let read = |frame: Value| replayed(frame.to_string().as_bytes());
        let event = |subject: &str| read(json!({"type": "event", "subject": subject, "event": {}}));
        let id = DeliveryId(Uuid::from_u128(7));
        let conflation_key = TopicKey::Delivery(id).conflation_key();
        assert_eq!(
            event(&subject::position(id)),
            Some(Replayed::Newest(conflation_key))
        );
        let placed = subject::event("order", id.0, "placed");
        assert_eq!(event(&placed), Some(Replayed::Event));
        let progress = |state: &str| read(json!({"type": "progress", "state": state}));
        assert_eq!(progress("running"), Some(Replayed::Newest(0)));
        for state in ["done", "cancelled", "failed"] {
            assert_eq!(progress(state), Some(Replayed::End), "{state}");
        }
        for other in [
            &b"{}"[..],
            b"",
            b"[1]",
            br#"{"type":"progress"}"#,
            b"{\"type\":\"event\",\"x\":\"\xff\"}",
        ] {
            assert_eq!(replayed(other), None);
        }
    }

    #[test]
    fn a_notification_is_unwrapped_and_everything_else_is_a_hint() {
        let key = TopicKey::Account(UserId(Uuid::nil()));
        let mut encoder = Encoder::default();
        let mut read = |kind: &str| -> Value {
            let envelope = json!({"type": kind, "data": {"text": "é"}}).to_string();
            let frame = hint(&mut encoder, key, envelope.as_bytes()).unwrap();
            serde_json::from_slice(text(&frame)).unwrap()
        };
        assert_eq!(
            read(NOTIFICATION),
            json!({"type": "notification", "notification": {"text": "é"}})
        );
        let hint = read("tiffin.order.placed.v1");
        assert_eq!(
            (
                &hint["type"],
                &hint["topic"],
                &hint["event"]["data"]["text"]
            ),
            (&json!("event"), &json!("me"), &json!("é"))
        );
        assert!(hint.get("seq").is_none());
    }
}
