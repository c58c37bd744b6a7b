//! Masks for personal fields, which are shown only to operators who give a reason.

use serde_json::Value;
use tiffin_events::Stream;

/// The replacement of a personal field.
pub const MASK: &str = "•••";

/// The personal fields, as payloads spell them. Columns are spelt `first_name`.
const PERSONAL: [&str; 19] = [
    "firstName",
    "lastName",
    "name",
    "email",
    "phone",
    "address",
    "image",
    "profilePicture",
    "customerName",
    "customerEmail",
    "driverName",
    "driverPhone",
    "driverEmail",
    "ownerName",
    "drNic",
    "text",
    "message",
    "comment",
    "displayName",
];

/// The fields that show where a person lives or is.
const COORDINATES: [&str; 6] = ["lat", "lng", "destLat", "destLng", "latitude", "longitude"];

/// The fields of an event that are masked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Masking {
    /// Every personal field.
    All,
    /// Every personal field but the coordinates of orders and deliveries, which a replay draws on the map.
    ExceptCoordinates,
    None,
}

impl Masking {
    /// Masks these fields in an event of `stream`.
    pub fn apply(self, stream: &str, envelope: &mut Value) {
        let has_coordinates = [Stream::Orders, Stream::Deliveries, Stream::Positions]
            .iter()
            .any(|one| one.name() == stream);
        match self {
            Self::None => {}
            Self::ExceptCoordinates if has_coordinates => {
                event_except(envelope, &|name| is_of(&COORDINATES, name));
            }
            Self::All | Self::ExceptCoordinates => event(envelope),
        }
    }
}

/// Masks an event's personal fields at any depth. A body that is no event is masked as a whole.
pub fn event(envelope: &mut Value) {
    event_except(envelope, &|_| false);
}

fn event_except(envelope: &mut Value, is_shown: &dyn Fn(&str) -> bool) {
    match envelope {
        Value::Object(fields) if fields.contains_key("data") => {
            fields
                .entry("data")
                .and_modify(|data| payload(data, is_shown));
        }
        other => payload(other, is_shown),
    }
}

/// Masks a payload. One that is neither an object nor a list is masked as a whole.
fn payload(data: &mut Value, is_shown: &dyn Fn(&str) -> bool) {
    match data {
        Value::Object(_) | Value::Array(_) => fields_except(data, is_shown),
        Value::Null => {}
        other => *other = MASK.into(),
    }
}

/// Masks the personal fields of a payload or a row at any depth.
pub fn fields(value: &mut Value) {
    fields_except(value, &|_| false);
}

fn fields_except(value: &mut Value, is_shown: &dyn Fn(&str) -> bool) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                if is_personal(name) && !is_shown(name) && !field.is_null() {
                    *field = MASK.into();
                } else {
                    fields_except(field, is_shown);
                }
            }
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| fields_except(item, is_shown)),
        _ => {}
    }
}

/// Masks the content of an event's personal fields in a text about the event.
pub fn text_about(text: String, envelope: &Value) -> String {
    let mut values = Vec::new();
    match envelope.get("data") {
        Some(data) => collect_personal(data, !data.is_object(), &mut values),
        None => collect_personal(envelope, !envelope.is_object(), &mut values),
    }
    // The longest come first, because one may contain another.
    values.sort_by_key(|word| std::cmp::Reverse(word.len()));
    values
        .iter()
        .filter(|word| word.chars().count() > 2)
        .fold(text, |text, word| text.replace(word.as_str(), MASK))
}

/// Adds the content of personal fields as text.
fn collect_personal(value: &Value, is_personal_itself: bool, values: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                collect_personal(field, is_personal_itself || is_personal(name), values);
            }
        }
        Value::Array(items) => {
            for item in items {
                collect_personal(item, is_personal_itself, values);
            }
        }
        Value::String(text) if is_personal_itself => values.push(text.clone()),
        Value::Number(number) if is_personal_itself => values.push(number.to_string()),
        _ => {}
    }
}

/// True if a value contains a mask. A masked value must not be published.
pub fn contains_mask(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(MASK),
        Value::Array(items) => items.iter().any(contains_mask),
        Value::Object(fields) => fields.values().any(contains_mask),
        _ => false,
    }
}

fn is_personal(name: &str) -> bool {
    is_of(&PERSONAL, name) || is_of(&COORDINATES, name)
}

fn is_of(names: &[&str], name: &str) -> bool {
    let letters = || name.chars().filter(|letter| *letter != '_');
    names.iter().any(|known| {
        letters()
            .map(|letter| letter.to_ascii_lowercase())
            .eq(known.chars().map(|letter| letter.to_ascii_lowercase()))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_personal_fields_are_masked_at_any_depth() {
        let mut envelope = json!({ "id": "1", "actor": "2", "data": {
            "orderId": "3", "address": "12 Galle Face", "phone": null,
            "people": [{ "firstName": "Nimali", "role": "customer" }],
        }});
        event(&mut envelope);
        assert_eq!(
            envelope,
            json!({ "id": "1", "actor": "2", "data": {
                "orderId": "3", "address": "•••", "phone": null,
                "people": [{ "firstName": "•••", "role": "customer" }],
            }})
        );
    }

    #[test]
    fn rows_are_masked_as_payloads_are_and_so_is_what_is_no_event() {
        let mut row =
            json!({ "id": "1", "first_name": "Nimali", "dr_nic": "9", "item_name": "Kottu" });
        fields(&mut row);
        assert_eq!(
            row,
            json!({ "id": "1", "first_name": "•••", "dr_nic": "•••", "item_name": "Kottu" })
        );
        let mut body = json!({ "email": "n@example.com", "role": "customer" });
        event(&mut body);
        assert_eq!(body, json!({ "email": "•••", "role": "customer" }));
    }

    #[test]
    fn a_mask_is_found_at_any_depth() {
        for masked in [json!("•••"), json!({ "a": [{ "b": "12 ••• Road" }] })] {
            assert!(contains_mask(&masked), "{masked}");
        }
        for whole in [json!("··"), json!({ "•••": 1 }), json!(null)] {
            assert!(!contains_mask(&whole), "{whole}");
        }
    }

    #[test]
    fn coordinates_are_personal_and_a_replay_shows_those_of_orders_and_deliveries() {
        let home =
            json!({ "data": { "lat": 6.91, "lng": 79.85, "destLat": 6.9, "firstName": "N" } });
        let masked =
            json!({ "data": { "lat": "•••", "lng": "•••", "destLat": "•••", "firstName": "•••" } });
        let on_map =
            json!({ "data": { "lat": 6.91, "lng": 79.85, "destLat": 6.9, "firstName": "•••" } });
        for (masking, stream, shown) in [
            (Masking::All, "POSITIONS", &masked),
            (Masking::ExceptCoordinates, "POSITIONS", &on_map),
            (Masking::ExceptCoordinates, "ORDERS", &on_map),
            (Masking::ExceptCoordinates, "USERS", &masked),
            (Masking::None, "USERS", &home),
        ] {
            let mut event = home.clone();
            masking.apply(stream, &mut event);
            assert_eq!(&event, shown, "{masking:?} {stream}");
        }
        let mut row = json!({ "dest_lat": 6.9, "dest_lng": 79.8, "latest": 1, "planted": 2 });
        fields(&mut row);
        assert_eq!(
            row,
            json!({ "dest_lat": "•••", "dest_lng": "•••", "latest": 1, "planted": 2 })
        );
    }

    #[test]
    fn what_is_no_event_shows_nothing_and_a_reason_does_not_say_it_either() {
        for mut garbage in [json!("Nimali, 0771234567"), json!({ "data": "0771234567" })] {
            event(&mut garbage);
            assert!(!garbage.to_string().contains("077"), "{garbage}");
        }
        let event = json!({ "type": "t", "data": { "phone": 771_234_567, "role": "customer" } });
        let reason = "invalid type: integer `771234567`, expected a string at customer".to_owned();
        assert_eq!(
            text_about(reason, &event),
            "invalid type: integer `•••`, expected a string at customer"
        );
    }
}
