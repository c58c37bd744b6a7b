//! Personal fields are shown only to who asks for them with a reason.

use serde_json::Value;

/// What stands in the place of a personal field.
const MASK: &str = "•••";

/// The payload's fields that tell of a person.
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

/// Masks an event's personal fields, whatever depth they are at.
pub fn event(envelope: &mut Value) {
    if let Some(data) = envelope.get_mut("data") {
        mask(data);
    }
}

fn mask(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                if PERSONAL.contains(&name.as_str()) && !field.is_null() {
                    *field = MASK.into();
                } else {
                    mask(field);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mask),
        _ => {}
    }
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
}
