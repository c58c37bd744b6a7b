//! Personal fields are shown only to who asks for them with a reason.

use serde_json::Value;

/// What stands in the place of a personal field.
const MASK: &str = "•••";

/// The fields that tell of a person, as payloads spell them; columns are spelt `first_name`.
const PERSONAL: [&str; 16] = [
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
];

/// Masks an event's personal fields, whatever depth they are at; of what is no event, all that it has.
pub fn event(envelope: &mut Value) {
    match envelope {
        Value::Object(fields) if fields.contains_key("data") => {
            fields.entry("data").and_modify(fields_of);
        }
        other => fields_of(other),
    }
}

/// Masks the personal fields of a payload or a row, whatever depth they are at.
pub fn fields_of(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                if is_personal(name) && !field.is_null() {
                    *field = MASK.into();
                } else {
                    fields_of(field);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(fields_of),
        _ => {}
    }
}

/// Whether a mask is left in it: what was never seen can't be meant.
pub fn is_in(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(MASK),
        Value::Array(items) => items.iter().any(is_in),
        Value::Object(fields) => fields.values().any(is_in),
        _ => false,
    }
}

fn is_personal(name: &str) -> bool {
    let letters = || name.chars().filter(|letter| *letter != '_');
    PERSONAL.iter().any(|personal| {
        letters()
            .map(|letter| letter.to_ascii_lowercase())
            .eq(personal.chars().map(|letter| letter.to_ascii_lowercase()))
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
        fields_of(&mut row);
        assert_eq!(
            row,
            json!({ "id": "1", "first_name": "•••", "dr_nic": "•••", "item_name": "Kottu" })
        );
        let mut body = json!({ "email": "n@example.com", "role": "customer" });
        event(&mut body);
        assert_eq!(body, json!({ "email": "•••", "role": "customer" }));
    }

    #[test]
    fn a_mask_is_found_wherever_it_is_left() {
        for masked in [json!("•••"), json!({ "a": [{ "b": "12 ••• Road" }] })] {
            assert!(is_in(&masked), "{masked}");
        }
        for whole in [json!("··"), json!({ "•••": 1 }), json!(null)] {
            assert!(!is_in(&whole), "{whole}");
        }
    }
}
