use serde_json::Value;
use tiffin_delivery::State;
use tiffin_events::Clock;
use tiffin_testkit::{TestDb, recorder, verifier};

/// Every operation names who may call it, and every status it answers with says what it means.
#[tokio::test]
async fn every_operation_is_described() {
    let db = TestDb::new(&tiffin_delivery::MIGRATIONS).await;
    let clock = Clock::system();
    let nats = async_nats::ConnectOptions::new().retry_on_initial_connect();
    let nats = nats.connect("nats://127.0.0.1:1").await.unwrap();
    let state = State::new(
        db.pool,
        verifier(&clock),
        recorder(&clock),
        nats,
        &tiffin_chassis::Env::default(),
    )
    .unwrap();
    let (_, api) = tiffin_delivery::router(state).split_for_parts();
    let api = serde_json::to_value(&api).unwrap();
    let mut operations = Vec::new();
    for (path, item) in api["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap().to_owned();
            assert!(operation["x-roles"].is_array(), "{id}: {operation}");
            for (status, answer) in operation["responses"].as_object().unwrap() {
                assert_ne!(answer["description"], "", "{id} {status}");
                assert!(answer["content"].is_object(), "{id} {status}");
            }
            operations.push(format!("{} {path} {id}", method.to_uppercase()));
        }
    }
    operations.sort();
    assert_eq!(
        operations,
        [
            "DELETE /api/v1/delivery/phone revoke_phone_token",
            "GET /api/v1/delivery list_deliveries",
            "GET /api/v1/delivery/accuracy get_accuracy",
            "GET /api/v1/delivery/counts count_deliveries",
            "GET /api/v1/delivery/estimates list_estimates",
            "GET /api/v1/delivery/loc/{id} get_delivery_location",
            "GET /api/v1/delivery/phone get_phone_token",
            "GET /api/v1/delivery/phone/traccar take_traccar_query",
            "GET /api/v1/delivery/route/{id} get_delivery_route",
            "POST /api/v1/delivery create_delivery",
            "POST /api/v1/delivery/decline/{id} decline_delivery",
            "POST /api/v1/delivery/phone make_phone_token",
            "POST /api/v1/delivery/phone/owntracks take_own_tracks",
            "POST /api/v1/delivery/phone/traccar take_traccar",
            "POST /api/v1/delivery/pick/{id} pick_driver",
            "POST /api/v1/delivery/positions record_positions",
            "POST /api/v1/delivery/suggest/{id} suggest_drivers",
            "PUT /api/v1/delivery/location/{id} update_delivery_location",
            "PUT /api/v1/delivery/ticket/{id} update_ticket_status",
            "PUT /api/v1/delivery/update/{id} update_delivery_status",
        ]
    );
    let schemas = api["components"]["schemas"].as_object().unwrap();
    for name in [
        "Coordinates",
        "Delivery",
        "DeliveriesAnswer",
        "DeliveryAccuracy",
        "DeliveryAnswer",
        "DeliveryEstimate",
        "DeliveryLocation",
        "DeliveryRoute",
        "LatePosition",
        "LatePositions",
        "NewDelivery",
        "PickDriver",
        "PickedDriver",
        "NewPhoneToken",
        "OwnTracksMessage",
        "PhoneAnswer",
        "PhoneOutcome",
        "PhoneToken",
        "PhoneTokenAnswer",
        "Problem",
        "RecordedPositions",
        "SetDeliveryStatus",
        "SetLocation",
        "SetTicketDeliveries",
        "SuggestedDriver",
        "Suggestions",
        "TraccarCoords",
        "TraccarLocation",
        "TraccarPosition",
    ] {
        assert!(schemas.contains_key(name), "{name}: {:?}", schemas.keys());
    }
    assert_refs(&api, schemas);
}

/// No reference leads nowhere.
fn assert_refs(value: &Value, schemas: &serde_json::Map<String, Value>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(target)) = members.get("$ref") {
                let name = target.trim_start_matches("#/components/schemas/");
                assert!(schemas.contains_key(name), "{target}");
            }
            members
                .values()
                .for_each(|member| assert_refs(member, schemas));
        }
        Value::Array(items) => items.iter().for_each(|item| assert_refs(item, schemas)),
        _ => {}
    }
}
