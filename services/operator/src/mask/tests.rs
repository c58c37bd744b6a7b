use std::collections::BTreeSet;

use serde_json::json;
use tiffin_testkit::{sample, samples};

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
    let mut row = json!({ "id": "1", "first_name": "Nimali", "dr_nic": "9", "item_name": "Kottu" });
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
    let home = json!({ "data": { "lat": 6.91, "lng": 79.85, "destLat": 6.9, "firstName": "N" } });
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

/// The value at a marked field of a payload; no payload marks what is in a list.
fn marked<'a>(data: &'a mut Value, path: &personal::Path) -> Option<&'a mut Value> {
    data.pointer_mut(&format!("/{}", path.names().join("/")))
}

#[test]
fn of_every_sample_each_marked_value_is_masked_and_nothing_else() {
    let mut seen = BTreeSet::new();
    for sample in samples() {
        let kind = &sample.kind;
        let whole = serde_json::to_value(&sample).unwrap();
        let mut masked = whole.clone();
        event(&mut masked);
        let (text, mut expected) = (masked.to_string(), whole);
        for field in personal::fields(kind).unwrap() {
            // A sample from before an optional field was there lacks it.
            let Some(value) = marked(&mut expected["data"], &field.path).filter(|it| !it.is_null())
            else {
                continue;
            };
            let shown = value.as_str().map_or(value.to_string(), str::to_owned);
            assert!(!text.contains(&shown), "{kind}: {}", field.path);
            *value = MASK.into();
            seen.insert(field.mark.category);
        }
        assert_eq!(masked, expected, "{kind}");
    }
    assert_eq!(seen, BTreeSet::from(Category::ALL), "a category is tried");
}

#[test]
fn the_note_of_a_cancellation_is_masked() {
    let data = json!({ "orderCode": "ORD-1", "reason": "sold_out", "note": "No rice, Nimali." });
    let mut cancelled = json!({ "type": "tiffin.order.cancelled.v1", "data": data });
    event(&mut cancelled);
    assert_eq!(cancelled["data"]["note"], MASK);
    assert_eq!(cancelled["data"]["reason"], "sold_out");
}

#[test]
fn each_category_is_masked_in_an_event_of_a_known_type_and_in_any_other() {
    for (category, kind, field) in [
        (Category::Name, "tiffin.user.updated.v1", "firstName"),
        (Category::Email, "tiffin.user.updated.v1", "email"),
        (Category::Phone, "tiffin.restaurant.created.v1", "phone"),
        (Category::Picture, "tiffin.user.updated.v1", "image"),
        (Category::Address, "tiffin.order.placed.v1", "address"),
        (Category::Place, "tiffin.position.updated.v1", "lat"),
        (Category::Text, "tiffin.notification.created.v1", "text"),
    ] {
        let mut known = serde_json::to_value(sample(kind)).unwrap();
        let mut unknown = known.clone();
        unknown["type"] = "tiffin.other.made.v1".into();
        event(&mut known);
        event(&mut unknown);
        assert_eq!(known["data"][field], MASK, "{category:?}");
        assert_eq!(unknown["data"][field], MASK, "{category:?}");
    }
}

#[test]
fn a_business_is_shown_and_a_person_of_the_same_field_name_is_not() {
    let mut restaurant = serde_json::to_value(sample("tiffin.restaurant.created.v1")).unwrap();
    let whole = restaurant["data"].clone();
    event(&mut restaurant);
    for field in ["name", "address", "lat", "lng", "images"] {
        assert_eq!(restaurant["data"][field], whole[field], "{field}");
    }
    restaurant["type"] = "tiffin.restaurant.created.v9".into();
    event(&mut restaurant);
    for field in ["name", "address", "lat", "lng"] {
        assert_eq!(restaurant["data"][field], MASK, "{field}");
    }
}

#[test]
fn a_payload_that_does_not_fit_its_type_is_masked_by_names_and_so_is_a_field_that_the_type_lacks() {
    let mut newer = serde_json::to_value(sample("tiffin.item.added.v1")).unwrap();
    newer["data"]["cook"] = json!({ "displayName": "Nimali", "since": 2020 });
    let mut unfit = newer.clone();
    unfit["data"]["price"] = "much".into();
    event(&mut newer);
    event(&mut unfit);
    assert_eq!(newer["data"]["name"], "Chicken kottu");
    assert_eq!(unfit["data"]["name"], MASK);
    for event in [newer, unfit] {
        let cook = &event["data"]["cook"];
        assert_eq!(cook, &json!({ "displayName": MASK, "since": 2020 }));
    }
}

#[test]
fn a_dead_letter_in_its_stream_shows_no_more_than_its_event() {
    let event = sample("tiffin.user.registered.v1");
    let body = serde_json::to_string(&event).unwrap();
    let mut letter = json!({
        "consumer": "driver_USERS", "reason": "nimal@example.com is taken", "body": body,
    });
    Masking::ExceptCoordinates.apply("DEADLETTERS", &mut letter);
    assert_eq!(letter["reason"], "••• is taken");
    let shown: Value = serde_json::from_str(letter["body"].as_str().unwrap()).unwrap();
    assert_eq!(shown["id"], event.id.to_string());
    assert_eq!(shown["data"]["email"], MASK);
    let mut garbage = json!({ "reason": "it is no event", "body": "{ a phone is 0771234567" });
    Masking::All.apply("DEADLETTERS", &mut garbage);
    assert_eq!(garbage["body"], MASK);
}
