//! Masks for personal fields, which are shown only to operators who give a reason.
//!
//! An event of a known type is masked by the marks of its type. What the type does not describe (another type,
//! a payload that does not fit, a field that is newer than this release, a row of a table) is masked by the
//! names that marked fields have anywhere.

mod names;

use std::str::FromStr;

use serde_json::Value;
use tiffin_events::{
    Stream,
    personal::{self, Category, Sealed, Shape},
};

/// The replacement of a personal field.
pub const MASK: &str = "•••";

/// The fields of an event that are masked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Masking {
    /// Every personal field.
    All,
    /// Every personal field but the places of orders and deliveries, which a replay draws on the map.
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
            _ if stream == Stream::DeadLetters.name() => dead_letter(envelope),
            Self::ExceptCoordinates if has_coordinates => {
                event_except(envelope, |category| category == Category::Place);
            }
            Self::All | Self::ExceptCoordinates => event(envelope),
        }
    }
}

/// Masks an event's personal fields at any depth. A body that is no event is masked as a whole.
pub fn event(envelope: &mut Value) {
    event_except(envelope, |_| false);
}

fn event_except(envelope: &mut Value, is_shown: fn(Category) -> bool) {
    let kind = kind(envelope);
    complete(&kind, envelope);
    match envelope {
        Value::Object(fields) if fields.contains_key("data") => {
            fields
                .entry("data")
                .and_modify(|data| payload_except(&kind, data, is_shown));
        }
        other => payload_except("", other, is_shown),
    }
}

/// Gives the sealed fields of an event values as of erased ones: its payload fits its type then, and they are masked.
fn complete(kind: &str, envelope: &mut Value) {
    fn parse<T: FromStr>(envelope: &Value, name: &str) -> Option<T> {
        envelope.get(name)?.as_str()?.parse().ok()
    }
    let sealed = parse::<Sealed>(envelope, "sealed");
    let (Some(Sealed(parts)), Some(subject)) = (sealed, parse(envelope, "subject")) else {
        return;
    };
    let Some(fields) = envelope.as_object_mut() else {
        return;
    };
    fields.remove("sealed");
    if let Some(data) = fields.get_mut("data") {
        for part in parts {
            personal::erase(kind, subject, data, part.person);
        }
    }
}

/// The type that an event names; empty where it names none.
fn kind(envelope: &Value) -> String {
    let kind = envelope.get("type").and_then(Value::as_str);
    kind.unwrap_or_default().to_owned()
}

/// The payload of an event with its personal fields masked.
pub fn shown_payload(envelope: &Value) -> Value {
    let mut envelope = envelope.clone();
    event(&mut envelope);
    envelope
        .get_mut("data")
        .map(Value::take)
        .unwrap_or_default()
}

/// Masks a payload of the type `kind`. One that is neither an object nor a list is masked as a whole.
fn payload_except(kind: &str, data: &mut Value, is_shown: fn(Category) -> bool) {
    match data {
        Value::Object(_) | Value::Array(_) => {
            let shape = personal::shape_of(kind, data);
            let mut mask = |field: &mut Value| *field = MASK.into();
            Walk {
                is_shown,
                see: &mut mask,
            }
            .below(data, shape);
        }
        Value::Null => {}
        other => *other = MASK.into(),
    }
}

/// Masks the personal fields of a row at any depth, by their names.
pub fn fields(row: &mut Value) {
    let mut mask = |field: &mut Value| *field = MASK.into();
    Walk {
        is_shown: |_| false,
        see: &mut mask,
    }
    .below(row, None);
}

/// Masks a dead letter as its stream keeps it: the event is a text in it, and the reason may quote the event.
fn dead_letter(letter: &mut Value) {
    let text = |name: &str| letter.get(name).and_then(Value::as_str).map(str::to_owned);
    let (Some(body), reason) = (text("body"), text("reason")) else {
        return event(letter);
    };
    let (masked, reason) = content_of_letter(&body, reason.unwrap_or_default());
    letter["body"] = match masked {
        Value::String(text) => text,
        event => event.to_string(),
    }
    .into();
    letter["reason"] = reason.into();
}

/// The masked event of a dead letter, and the reason without the event's personal values. A body that is no
/// event is masked as a whole.
pub fn content_of_letter(body: &str, reason: String) -> (Value, String) {
    let mut content = serde_json::from_str(body).unwrap_or_else(|_| body.into());
    let reason = text_about(reason, &content);
    event(&mut content);
    (content, reason)
}

/// A walk over the personal fields of a payload or a row.
struct Walk<'a> {
    /// The categories that are left out.
    is_shown: fn(Category) -> bool,
    /// Gets each personal field that holds something, whole.
    see: &'a mut dyn FnMut(&mut Value),
}

impl Walk<'_> {
    /// Walks through what a value holds. `shape` describes the value, where its type does.
    fn below(&mut self, value: &mut Value, shape: Option<&Shape>) {
        match value {
            Value::Object(fields) => {
                for (name, field) in fields {
                    let shape = shape.and_then(|shape| shape.fields.get(name));
                    self.field(name, field, shape);
                }
            }
            Value::Array(items) => {
                let shape = shape.and_then(|shape| shape.items.as_deref());
                for item in items {
                    self.field("", item, shape);
                }
            }
            _ => {}
        }
    }

    fn field(&mut self, name: &str, field: &mut Value, shape: Option<&Shape>) {
        let category = match shape {
            Some(shape) => shape.mark.as_ref().map(|mark| mark.category),
            None => names::category(name),
        };
        if category.is_none_or(self.is_shown) {
            self.below(field, shape);
        } else if !field.is_null() {
            (self.see)(field);
        }
    }
}

/// Masks the content of an event's personal fields in a text about the event.
pub fn text_about(text: String, envelope: &Value) -> String {
    let mut data = envelope.get("data").unwrap_or(envelope).clone();
    let mut values = Vec::new();
    if data.is_object() {
        let shape = personal::shape_of(&kind(envelope), &data);
        let mut see = |field: &mut Value| collect(field, &mut values);
        Walk {
            is_shown: |_| false,
            see: &mut see,
        }
        .below(&mut data, shape);
    } else {
        collect(&data, &mut values);
    }
    // The longest come first, because one may contain another.
    values.sort_by_key(|word| std::cmp::Reverse(word.len()));
    values
        .iter()
        .filter(|word| word.chars().count() > 2)
        .fold(text, |text, word| text.replace(word.as_str(), MASK))
}

/// Adds everything that a value holds, as text.
fn collect(value: &Value, values: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.values().for_each(|field| collect(field, values)),
        Value::Array(items) => items.iter().for_each(|item| collect(item, values)),
        Value::String(text) => values.push(text.clone()),
        Value::Number(number) => values.push(number.to_string()),
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

#[cfg(test)]
mod tests;
