use serde_json::json;

use super::*;

fn read(schema: &Value) -> Shape {
    Shape::read(schema, schema)
}

#[test]
fn marks_are_found_in_lists_nested_objects_and_definitions() {
    let shape = read(&json!({
        "properties": {
            "people": { "items": { "$ref": "#/$defs/Person" } },
            "photos": {
                "items": { "type": "string" },
                "x-personal": { "of": "subject", "category": "picture" },
            },
            "code": { "type": "string" },
            "done": { "type": ["boolean", "null"] },
        },
        "$defs": {
            "Person": { "anyOf": [
                { "properties": { "first": {
                    "type": "string", "x-personal": { "of": "personId", "category": "name" },
                } } },
                { "type": "null" },
            ] },
        },
    }));
    let marked: Vec<_> = shape
        .marked()
        .into_iter()
        .map(|field| (field.path.to_string(), field.mark.of, field.mark.category))
        .collect();
    assert_eq!(
        marked,
        [
            (
                "people.[].first".to_owned(),
                "personId".to_owned(),
                Category::Name
            ),
            ("photos".to_owned(), "subject".to_owned(), Category::Picture),
        ]
    );
    let unmarked: Vec<String> = shape.unmarked().iter().map(Path::to_string).collect();
    assert_eq!(unmarked, ["code"], "a flag says nothing of a person");
}

#[test]
fn an_orders_address_and_note_are_its_customers_and_a_position_its_drivers() {
    let listed = |kind| {
        let fields = fields(kind).unwrap_or_default().iter();
        let listed = fields.map(|it| (it.path.to_string(), it.mark.of.as_str(), it.mark.category));
        listed.collect::<Vec<_>>()
    };
    assert_eq!(
        listed("tiffin.order.placed.v1"),
        [
            ("address".to_owned(), "customerId", Category::Address),
            ("destLat".to_owned(), "customerId", Category::Place),
            ("destLng".to_owned(), "customerId", Category::Place),
            ("note".to_owned(), "customerId", Category::Text),
        ]
    );
    assert_eq!(
        summary("tiffin.position.updated.v1"),
        "`lat`, `lng` of `driverId`"
    );
    assert_eq!(fields("tiffin.order.approved.v1"), Some(&[][..]));
    assert_eq!(fields("tiffin.order.stolen.v1"), None);
}

#[test]
fn a_payload_has_the_shape_of_its_type_only_if_it_reads_as_one() {
    let kind = "tiffin.driver.available.v1";
    let fits = json!({ "driverId": "01930000-0000-7000-8000-000000000003", "later": 1 });
    assert!(shape_of(kind, &fits).is_some());
    for other in [json!({ "driverId": 7 }), json!([]), json!("x"), json!(null)] {
        assert!(shape_of(kind, &other).is_none(), "{other}");
    }
    assert!(shape_of("tiffin.driver.promoted.v1", &fits).is_none());
}

#[test]
fn a_name_has_the_categories_by_which_payloads_mark_it() {
    let names = names();
    assert_eq!(names["firstName"], BTreeSet::from([Category::Name]));
    assert_eq!(names["lat"], BTreeSet::from([Category::Place]));
    assert!(names["orderCode"].is_empty());
}
