use serde_json::Value;
use tiffin_events::Clock;
use tiffin_order::State;
use tiffin_testkit::{TestDb, recorder, verifier};

/// Every operation names who may call it, and every status it answers with says what it means.
#[tokio::test]
async fn every_operation_is_described() {
    let db = TestDb::new(&tiffin_order::MIGRATIONS).await;
    let clock = Clock::system();
    let state = State::new(
        db.pool,
        verifier(&clock),
        recorder(&clock),
        &tiffin_chassis::Env::default(),
    )
    .unwrap();
    let (_, api) = tiffin_order::router(state).split_for_parts();
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
            "DELETE /api/v1/orders/delete/{orderId} delete_order",
            "DELETE /api/v1/orders/printing/{id} turn_off_printing",
            "GET /api/v1/orders list_orders",
            "GET /api/v1/orders/counts count_orders",
            "GET /api/v1/orders/figures get_figures",
            "GET /api/v1/orders/print-jobs list_print_jobs",
            "POST /api/v1/orders place_orders",
            "POST /api/v1/orders/cancel/{orderId} cancel_order",
            "POST /api/v1/orders/print-jobs/claim claim_print_job",
            "POST /api/v1/orders/quote quote",
            "POST /api/v1/orders/reprint/{orderId} reprint_ticket",
            "PUT /api/v1/orders/isApprove/{orderId} approve_order",
            "PUT /api/v1/orders/print-jobs/report/{id} report_print_job",
            "PUT /api/v1/orders/printing turn_on_printing",
            "PUT /api/v1/orders/status/{orderId} set_order_status",
            "PUT /api/v1/orders/ticket/{orderId} set_ticket_status",
        ]
    );
    let schemas = api["components"]["schemas"].as_object().unwrap();
    for name in [
        "Cart",
        "CartLine",
        "Checkout",
        "Figures",
        "Order",
        "OrderAnswer",
        "OrdersAnswer",
        "Problem",
        "Quote",
        "SetStatus",
        "SetTicketStatus",
        "TicketAnswer",
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
