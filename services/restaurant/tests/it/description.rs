use tiffin_events::Clock;
use tiffin_restaurant::{MIGRATIONS, State, router};
use tiffin_testkit::{TestDb, recorder, verifier};

#[tokio::test]
async fn every_operation_is_described_and_says_who_may_call_it() {
    let (db, clock) = (TestDb::new(&MIGRATIONS).await, Clock::system());
    let (_, api) = router(
        State::new(
            db.pool,
            verifier(&clock),
            recorder(&clock),
            &tiffin_chassis::Env::default(),
        )
        .unwrap(),
    )
    .split_for_parts();
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
        [
            "approve_item",
            "approve_review",
            "close_restaurant",
            "create_item",
            "create_restaurant",
            "delete_item",
            "delete_restaurant",
            "delete_review",
            "get_item",
            "get_restaurant",
            "list_items",
            "list_items_of",
            "list_restaurants",
            "list_reviews",
            "list_reviews_of",
            "open_restaurant",
            "pause_restaurant",
            "slow_restaurant",
            "submit_review",
            "update_item",
            "update_restaurant",
        ]
    );
    for schema in [
        "Restaurant",
        "Item",
        "Problem",
        "NewRestaurant",
        "NewItem",
        "RestaurantAnswer",
        "ItemAnswer",
        "Review",
        "NewReview",
        "ReviewAnswer",
    ] {
        assert!(api["components"]["schemas"][schema].is_object(), "{schema}");
    }
}
