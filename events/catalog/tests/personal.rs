//! Holds every field of every payload to a decision: it is marked as personal, or listed here with the reason why
//! it is not.

use std::collections::BTreeSet;

use tiffin_events::{
    catalogue,
    personal::{self, Category, Mark, Path},
};

/// The fields that are not personal, by the reason.
const NOT_PERSONAL: [(&str, &[&str]); 8] = [
    (
        "ids: random numbers, which lead to a person only through what is marked",
        &[
            "assignedDriver",
            "authorId",
            "checkoutId",
            "customerId",
            "deliveryId",
            "driverId",
            "inquiryId",
            "itemId",
            "notificationId",
            "operationId",
            "orderId",
            "ownerId",
            "paymentId",
            "previousDriverId",
            "refundId",
            "refundedOrderId",
            "refundedOwnerId",
            "refundedRestaurantId",
            "restaurantId",
            "reviewId",
            "suggestionId",
            "userId",
        ],
    ),
    (
        "codes that people read",
        &["itemCode", "orderCode", "refundedOrderCode"],
    ),
    (
        "money and its means: a brand and four digits name no one, and operators compare them with the provider's",
        &[
            "amount",
            "cardBrand",
            "cardLast4",
            "disputed",
            "paymentType",
            "price",
            "refundAmount",
            "refunded",
            "refundedThen",
            "totalAmount",
        ],
    ),
    (
        "one of a fixed list of words",
        &[
            "basis",
            "by",
            "category",
            "channel",
            "from",
            "role",
            "state",
            "status",
            "to",
            "topic",
            "vehicleType",
            "verb",
        ],
    ),
    (
        "times",
        &[
            "answerBy",
            "at",
            "earliest",
            "estimatedTime",
            "expected",
            "latest",
            "until",
        ],
    ),
    (
        "counts and a customer's verdict on a dish",
        &[
            "answerMinutes",
            "count",
            "failed",
            "handled",
            "minutes",
            "number",
            "part",
            "parts",
            "quantity",
            "rank",
            "rating",
            "skipped",
            "ticketOrders",
        ],
    ),
    (
        "measurements that name no place",
        &["accuracy", "heading", "rideMetres", "rideSeconds", "speed"],
    ),
    ("hashes of the audit's chain", &["hash", "previous"]),
];

/// Fields that are not personal in the events of one aggregate, whatever others have by this name.
const NOT_PERSONAL_HERE: [(&str, &str, &[&str]); 9] = [
    (
        "tiffin.restaurant.",
        "public facts of a business, which its page shows to every visitor",
        &["address", "description", "images", "lat", "lng", "name"],
    ),
    (
        "tiffin.item.",
        "public facts of a dish",
        &["description", "images", "name"],
    ),
    (
        "tiffin.order.",
        "the dish and its picture; one of a fixed list of words",
        &["image", "itemName", "reason"],
    ),
    (
        "tiffin.delivery.",
        "the dish; one of a fixed list of words",
        &["orderName", "reason"],
    ),
    (
        "tiffin.suggestion.",
        "one of a fixed list of words",
        &["reason"],
    ),
    (
        "tiffin.payment.",
        "the provider's word for why; one of a fixed list of words",
        &["reason"],
    ),
    ("tiffin.user.", "one of a fixed list of words", &["reason"]),
    (
        "tiffin.operation.",
        "the audit, which is never erased and which every operator reads; ids of imported events; \
         refusals, in which personal data is masked",
        &["error", "first", "last", "reason", "target"],
    ),
    (
        "tiffin.notification.",
        "one of the notification service's own sentences, without names",
        &["reason"],
    ),
];

/// The reason why a field of an event is not personal, if it is listed.
fn reason(kind: &str, field: &str) -> Option<&'static str> {
    let everywhere = NOT_PERSONAL.iter().map(|(why, names)| ("", why, names));
    let here = NOT_PERSONAL_HERE
        .iter()
        .map(|(prefix, why, names)| (*prefix, why, names));
    let found = everywhere
        .chain(here)
        .find(|(prefix, _, names)| kind.starts_with(prefix) && names.contains(&field));
    found.map(|(_, why, _)| *why)
}

#[test]
fn every_field_is_marked_or_not_personal_for_a_reason() {
    for entry in catalogue::entries() {
        for path in personal::shape(entry.kind).unwrap().unmarked() {
            assert!(
                reason(entry.kind, path.field()).is_some(),
                "{}: does `{path}` say who or where a person is? Mark it in its type, or list it here",
                entry.kind
            );
        }
    }
}

#[test]
fn nothing_is_listed_that_no_payload_has_or_that_is_marked() {
    let (mut unmarked, mut marked) = (BTreeSet::new(), BTreeSet::new());
    for entry in catalogue::entries() {
        let named = |path: &Path| (entry.kind, path.field().to_owned());
        let shape = personal::shape(entry.kind).unwrap();
        unmarked.extend(shape.unmarked().iter().map(named));
        let fields = personal::fields(entry.kind).unwrap();
        marked.extend(fields.iter().map(|it| named(&it.path)));
    }
    let has = |all: &BTreeSet<(&str, String)>, prefix: &str, name: &str| {
        all.iter()
            .any(|(kind, it)| kind.starts_with(prefix) && it == name)
    };
    let everywhere = NOT_PERSONAL.map(|(_, names)| ("", names));
    let here = NOT_PERSONAL_HERE.map(|(prefix, _, names)| (prefix, names));
    for (prefix, names) in everywhere.into_iter().chain(here) {
        for name in names {
            assert!(
                has(&unmarked, prefix, name),
                "{name} is in no payload {prefix}"
            );
            assert!(!has(&marked, prefix, name), "{name} is marked in {prefix}");
        }
    }
}

#[test]
fn every_mark_names_a_field_with_an_accounts_id_and_every_category_is_used() {
    let mut used = BTreeSet::new();
    for entry in catalogue::entries() {
        let schema = (entry.schema)().to_value();
        // Of user events alone the aggregate is a person.
        let is_user = entry.kind.starts_with("tiffin.user.");
        for field in personal::fields(entry.kind).unwrap() {
            let Mark { of, category } = &field.mark;
            used.insert(*category);
            if of == Mark::SUBJECT {
                assert!(is_user, "{}: {}", entry.kind, field.path);
                continue;
            }
            let account = &schema["properties"][of]["$ref"];
            assert_eq!(account, "#/$defs/UserId", "{}: {of}", entry.kind);
            let required = schema["required"].as_array().unwrap();
            assert!(
                required.iter().any(|name| name == of),
                "{}: {of}",
                entry.kind
            );
        }
    }
    assert_eq!(used, BTreeSet::from(Category::ALL));
}

#[test]
fn every_mark_in_a_schema_is_read() {
    for entry in catalogue::entries() {
        let text = (entry.schema)().to_value().to_string();
        let written = text.matches("\"x-personal\"").count();
        let read = personal::fields(entry.kind).unwrap().len();
        assert_eq!(written, read, "{}", entry.kind);
    }
}
