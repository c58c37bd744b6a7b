use tiffin_chassis::Env;
use tiffin_events::Clock;
use tiffin_payment::State;
use tiffin_testkit::{TestDb, recorder, verifier};

/// Every operation names its roles, and every status has a description.
#[tokio::test]
async fn every_operation_is_described() {
    let db = TestDb::new(&tiffin_payment::MIGRATIONS).await;
    let clock = Clock::system();
    let state = State::new(db.pool, verifier(&clock), recorder(&clock), &Env::default()).unwrap();
    let (_, api) = tiffin_payment::router(state).split_for_parts();
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
            "GET /api/v1/payment list_payments",
            "GET /api/v1/payment/invoice/{orderId} get_invoice",
            "GET /api/v1/payment/refunds/{orderId} get_refunds",
            "POST /api/v1/payment make_payment",
            "POST /api/v1/payment/check/{paymentId} check_payment",
            "POST /api/v1/payment/refunds/{orderId} issue_refund",
            "POST /api/v1/payment/stripe/webhook take_stripe_event",
        ]
    );
    let schemas = api["components"]["schemas"].as_object().unwrap();
    for name in [
        "NewPayment",
        "Payment",
        "PaymentAnswer",
        "PaymentStatus",
        "PaymentType",
        "NewRefund",
        "OrderRefunds",
        "Refund",
        "RefundReason",
        "RefundState",
        "Problem",
    ] {
        assert!(schemas.contains_key(name), "{name}: {:?}", schemas.keys());
    }
    let fields = &schemas["NewPayment"]["properties"];
    for secret in ["cardNumber", "expiry", "cvv", "cardToken"] {
        assert_eq!(fields[secret]["writeOnly"], true, "{secret}");
    }
}

#[tokio::test]
async fn a_provider_that_does_not_exist_is_refused_at_the_start() {
    let db = TestDb::new(&tiffin_payment::MIGRATIONS).await;
    let clock = Clock::system();
    let env = Env::from_pairs([("TIFFIN_PAYMENT_PROVIDER", "gold")]);
    let refused = State::new(db.pool, verifier(&clock), recorder(&clock), &env).unwrap_err();
    assert!(refused.to_string().contains("sandbox"), "{refused}");
}
