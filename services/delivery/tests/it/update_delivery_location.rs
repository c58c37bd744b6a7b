use serde_json::json;
use tiffin_events::Role;

use crate::fixture::Fixture;

#[tokio::test]
async fn a_position_is_kept_while_the_delivery_is_under_way_broker_or_not() {
    let fixture = Fixture::new().await;
    let delivery = fixture.delivery().await;
    let body = fixture
        .set_location(&delivery, 6.9, 79.85)
        .await
        .expect(200);
    assert_eq!(body["message"], "Location updated");
    assert_eq!(
        (&body["delivery"]["lat"], &body["delivery"]["lng"]),
        (&json!(6.9), &json!(79.85))
    );
    fixture
        .set_location(&delivery, 6.91, 79.86)
        .await
        .expect(200);
    assert_eq!(fixture.location(&delivery).await["lat"], 6.91);
    assert!(
        fixture.events().await.is_empty(),
        "a position is no event of the delivery's"
    );

    fixture.set_status(&delivery, "delivered").await.expect(200);
    let late = fixture.set_location(&delivery, 6.92, 79.87).await;
    assert_eq!(late.problem(409), "The delivery is not under way.");
    assert_eq!(
        fixture.location(&delivery).await,
        json!({ "lat": 0.0, "lng": 0.0, "at": null })
    );
    assert_eq!(
        fixture.list(&fixture.customer()).await[0]["lat"],
        0.0,
        "nor is it shown any more"
    );
}

#[tokio::test]
async fn only_its_driver_and_administrators_say_where_it_is() {
    let fixture = Fixture::new().await;
    let delivery = fixture.delivery().await;
    let path = format!(
        "/api/v1/delivery/location/{}",
        delivery["_id"].as_str().unwrap()
    );
    let body = json!({ "lat": 6.9, "lng": 79.85 });
    for (token, status) in [
        (fixture.token(fixture.other_driver, Role::Delivery), 404),
        (fixture.owner(), 403),
        (fixture.customer(), 403),
    ] {
        fixture
            .app
            .put(&path)
            .token(&token)
            .json(&body)
            .await
            .problem(status);
    }
    assert_eq!(fixture.location(&delivery).await["at"], json!(null));
    fixture
        .app
        .put(&path)
        .token(&fixture.admin())
        .json(&body)
        .await
        .expect(200);
}

#[tokio::test]
async fn a_place_off_the_earth_is_refused_with_the_field() {
    let fixture = Fixture::new().await;
    let delivery = fixture.delivery().await;
    for (lat, lng, field) in [(90.5, 0.0, "lat"), (0.0, -180.5, "lng")] {
        let answer = fixture.set_location(&delivery, lat, lng).await;
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
    fixture
        .app
        .put(&path)
        .token(&fixture.driver())
        .json(&json!({ "lat": "north" }))
        .await
        .problem(422);
    fixture
        .app
        .put(&path)
        .token(&fixture.driver())
        .raw("lat=6.9")
        .await
        .problem(400);
}
