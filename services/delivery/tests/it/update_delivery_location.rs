use serde_json::json;
use tiffin_events::Role;

use crate::harness::Town;

#[tokio::test]
async fn a_position_is_kept_while_the_delivery_is_under_way_broker_or_not() {
    let town = Town::awake().await;
    let delivery = town.delivery().await;
    let body = town.set_location(&delivery, 6.9, 79.85).await.expect(200);
    assert_eq!(body["message"], "Location updated");
    assert_eq!(
        (&body["delivery"]["lat"], &body["delivery"]["lng"]),
        (&json!(6.9), &json!(79.85))
    );
    town.set_location(&delivery, 6.91, 79.86).await.expect(200);
    assert_eq!(town.location(&delivery).await["lat"], 6.91);
    assert!(
        town.events().await.is_empty(),
        "a position is no event of the delivery's"
    );

    town.set_status(&delivery, "delivered").await.expect(200);
    let late = town.set_location(&delivery, 6.92, 79.87).await;
    assert_eq!(late.problem(409), "The delivery is not under way.");
    assert_eq!(
        town.location(&delivery).await,
        json!({ "lat": 0.0, "lng": 0.0, "at": null })
    );
    assert_eq!(
        town.list(&town.customer()).await[0]["lat"],
        0.0,
        "nor is it shown any more"
    );
}

#[tokio::test]
async fn only_its_driver_and_administrators_say_where_it_is() {
    let town = Town::awake().await;
    let delivery = town.delivery().await;
    let path = format!(
        "/api/v1/delivery/location/{}",
        delivery["_id"].as_str().unwrap()
    );
    let body = json!({ "lat": 6.9, "lng": 79.85 });
    for (token, status) in [
        (town.token(town.other_driver, Role::Delivery), 404),
        (town.owner(), 403),
        (town.customer(), 403),
    ] {
        town.app
            .put(&path)
            .token(&token)
            .json(&body)
            .await
            .problem(status);
    }
    assert_eq!(town.location(&delivery).await["at"], json!(null));
    town.app
        .put(&path)
        .token(&town.admin())
        .json(&body)
        .await
        .expect(200);
}

#[tokio::test]
async fn a_place_off_the_earth_is_refused_with_the_field() {
    let town = Town::awake().await;
    let delivery = town.delivery().await;
    for (lat, lng, field) in [(90.5, 0.0, "lat"), (0.0, -180.5, "lng")] {
        let answer = town.set_location(&delivery, lat, lng).await;
        assert!(
            answer.body["fields"].get(field).is_some(),
            "{}",
            answer.text
        );
        answer.problem(422);
    }
    let path = format!(
        "/api/v1/delivery/location/{}",
        delivery["_id"].as_str().unwrap()
    );
    town.app
        .put(&path)
        .token(&town.driver())
        .json(&json!({ "lat": "north" }))
        .await
        .problem(422);
    town.app
        .put(&path)
        .token(&town.driver())
        .raw("lat=6.9")
        .await
        .problem(400);
}
