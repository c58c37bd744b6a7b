use tiffin_chassis::Env;
use tiffin_driver::{MIGRATIONS, State, router};
use tiffin_events::Clock;
use tiffin_testkit::{TestDb, recorder, verifier};

#[tokio::test]
async fn every_operation_is_described_and_says_who_may_call_it() {
    let (db, clock) = (TestDb::new(&MIGRATIONS).await, Clock::system());
    let env = Env::from_pairs([
        ("TIFFIN_USER_URL", "http://127.0.0.1:7001"),
        ("TIFFIN_USER_INTERNAL_URL", "http://127.0.0.1:8001"),
        ("TIFFIN_SERVICE_KEY", "key"),
    ]);
    let state = State::new(db.pool, verifier(&clock), recorder(&clock), &env).unwrap();
    let (_, api) = router(state).split_for_parts();
    let api = serde_json::to_value(api).unwrap();
    let mut operations = Vec::new();
    for path in api["paths"].as_object().unwrap().values() {
        for operation in path.as_object().unwrap().values() {
            assert!(
                operation["x-roles"]
                    .as_array()
                    .is_some_and(|roles| !roles.is_empty()),
                "{operation}"
            );
            operations.push(operation["operationId"].as_str().unwrap());
        }
    }
    operations.sort_unstable();
    assert_eq!(
        operations,
        ["list_drivers", "register_driver", "update_driver"]
    );
    for schema in [
        "Driver",
        "NewDriver",
        "DriverUpdate",
        "DriverAnswer",
        "VehicleType",
        "Problem",
    ] {
        assert!(api["components"]["schemas"][schema].is_object(), "{schema}");
    }
}

#[tokio::test]
async fn a_missing_setting_is_named() {
    let (db, clock) = (TestDb::new(&MIGRATIONS).await, Clock::system());
    let env = Env::from_pairs([
        ("TIFFIN_USER_URL", "http://127.0.0.1:7001"),
        ("TIFFIN_USER_INTERNAL_URL", "http://127.0.0.1:8001"),
    ]);
    let error = State::new(db.pool, verifier(&clock), recorder(&clock), &env).unwrap_err();
    assert_eq!(error.to_string(), "TIFFIN_SERVICE_KEY is not set");
}
