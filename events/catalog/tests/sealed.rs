//! Holds the sealing of personal fields to the frozen samples: what is taken out comes back, and a payload without its
//! fields is still one of its type.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

use std::{collections::BTreeSet, fs, path::PathBuf};

use serde_json::{Value, json};
use tiffin_events::{
    Envelope, Stream, catalogue,
    personal::{self, Category, Fields, Path, Taken},
};

/// A type's reading of a payload.
type RoundTrip = fn(&Value) -> Option<Value>;

/// The samples of the types with personal fields, none of which is empty, and the reading of each type.
fn samples() -> Vec<(Envelope, RoundTrip)> {
    let entries = catalogue::entries().into_iter();
    let marked = entries.filter(|entry| !personal::fields(entry.kind).unwrap().is_empty());
    let samples: Vec<_> = marked
        .map(|entry| {
            let path = format!("samples/{}.json", entry.kind);
            let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path);
            let text = fs::read_to_string(path).unwrap();
            let mut envelope: Envelope = serde_json::from_str(&text).unwrap();
            for field in personal::fields(entry.kind).unwrap() {
                let value = &mut envelope.data[field.path.field()];
                if value.is_null() {
                    *value = match field.mark.category {
                        Category::Place => json!(6.9),
                        _ => json!("said by a person"),
                    };
                }
            }
            (envelope, entry.round_trip)
        })
        .collect();
    assert!(samples.len() > 5);
    samples
}

fn take_out(envelope: &Envelope) -> (Taken, Value) {
    let mut data = envelope.data.clone();
    let taken = personal::take_out(&envelope.kind, envelope.subject, &mut data).unwrap();
    (taken, data)
}

/// The value at a path of a payload whose marked fields are in no list.
fn at<'a>(path: &Path, data: &'a Value) -> Option<&'a Value> {
    path.names()
        .iter()
        .try_fold(data, |data, name| data.get(name))
}

#[test]
fn what_is_taken_out_comes_back() {
    for (envelope, _) in samples() {
        let (taken, mut data) = take_out(&envelope);
        assert!(!taken.is_empty(), "{}", envelope.kind);
        for field in personal::fields(&envelope.kind).unwrap() {
            let is_gone = at(&field.path, &data).is_none_or(Value::is_null);
            assert!(is_gone, "{}: {}", envelope.kind, field.path);
        }
        for fields in taken.into_values() {
            personal::put_back(&mut data, fields);
        }
        assert_eq!(data, envelope.data, "{}", envelope.kind);
    }
}

#[test]
fn every_type_reads_without_its_personal_fields_and_keeps_the_others() {
    for (envelope, round_trip) in samples() {
        let (taken, bare) = take_out(&envelope);
        let mut erased = bare.clone();
        for person in taken.keys() {
            personal::erase(&envelope.kind, envelope.subject, &mut erased, *person);
        }
        let read = round_trip(&erased);
        assert!(read.is_some(), "{}: {erased}", envelope.kind);
        let marked: BTreeSet<&str> = personal::fields(&envelope.kind)
            .unwrap()
            .iter()
            .map(|it| it.path.field())
            .collect();
        for (name, value) in erased.as_object().unwrap() {
            let kept = envelope.data.get(name).unwrap();
            let is_empty = [json!(""), json!(0.0), json!(null)].contains(value);
            assert!(
                if marked.contains(name.as_str()) {
                    is_empty
                } else {
                    value == kept
                },
                "{}: {name} is {value}",
                envelope.kind
            );
        }
    }
}

#[test]
fn erasing_one_person_leaves_what_another_has() {
    let (envelope, _) = samples().remove(0);
    let (_, mut data) = take_out(&envelope);
    let bare = data.clone();
    let other = tiffin_events::UserId(uuid::Uuid::from_u128(77));
    personal::erase(&envelope.kind, envelope.subject, &mut data, other);
    assert_eq!(data, bare);
}

#[test]
fn a_field_without_its_person_is_refused() {
    let mut data = json!({ "customerId": 7, "note": "no onions" });
    let refused = personal::take_out("tiffin.order.cancelled.v1", uuid::Uuid::nil(), &mut data);
    assert_eq!(refused.unwrap_err().of, "customerId");
}

#[test]
fn a_payload_of_another_type_stays_as_it_is() {
    let mut data = json!({ "customerId": uuid::Uuid::nil(), "note": "no onions" });
    let before = data.clone();
    for kind in ["tiffin.order.stolen.v1", "tiffin.order.approved.v1"] {
        let taken = personal::take_out(kind, uuid::Uuid::nil(), &mut data);
        assert_eq!(taken, Ok(Taken::new()));
        assert_eq!(data, before);
    }
    personal::put_back(&mut data, Fields::from([("/a/b".to_owned(), json!(1))]));
    assert_eq!(data, before, "a place that is not there");
}

#[test]
fn everything_marked_is_sealed_but_positions() {
    for entry in catalogue::entries() {
        let is_marked = !personal::fields(entry.kind).unwrap().is_empty();
        let expected = is_marked && entry.stream != Stream::Positions;
        assert_eq!(personal::is_sealed(entry.kind), expected, "{}", entry.kind);
    }
}
