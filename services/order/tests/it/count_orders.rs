use serde_json::json;
use tiffin_events::{Role, UserId};

use crate::fixture::Fixture;

#[tokio::test]
async fn every_role_gets_its_counts_by_status() {
    let fixture = Fixture::new().await;
    fixture.order().await;
    let confirmed = fixture.order().await;
    fixture.confirm(&confirmed).await.expect(200);
    let none = json!({
        "pending": 0, "confirmed": 0, "preparing": 0, "dispatched": 0, "delivered": 0, "cancelled": 0,
        "unapproved": 0,
    });
    let mut both = none.clone();
    both["pending"] = 1.into();
    both["confirmed"] = 1.into();
    both["unapproved"] = 2.into();
    let mut brought = none.clone();
    brought["confirmed"] = 1.into();
    brought["unapproved"] = 1.into();
    let stranger = fixture.token(UserId(fixture.clock.new_id()), Role::Restaurant);
    for (token, counts) in [
        (fixture.admin(), &both),
        (fixture.owner(), &both),
        (fixture.customer(), &both),
        (fixture.token(fixture.driver, Role::Delivery), &brought),
        (stranger, &none),
    ] {
        let answer = fixture.app.get("/api/v1/orders/counts").token(&token).await;
        assert_eq!(&answer.expect(200), counts);
    }
    fixture.app.get("/api/v1/orders/counts").await.problem(401);
}

#[tokio::test]
async fn the_counts_of_a_person_or_a_restaurant_are_of_what_the_caller_sees() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.confirm(&order).await.expect(200);
    fixture.order().await;
    let restaurant = order["restaurantId"].as_str().unwrap();
    let count = async |token: &str, filter: &str| {
        let path = format!("/api/v1/orders/counts?{filter}");
        let counts = fixture.app.get(&path).token(token).await.expect(200);
        (counts["pending"].clone(), counts["confirmed"].clone())
    };
    let stranger = UserId(fixture.clock.new_id());
    for (filter, counts) in [
        (format!("userId={}", fixture.driver), (0, 1)),
        (format!("userId={stranger}"), (0, 0)),
        (format!("restaurantId={restaurant}"), (1, 1)),
        (format!("restaurantId={stranger}"), (0, 0)),
    ] {
        let expected = (json!(counts.0), json!(counts.1));
        assert_eq!(count(&fixture.admin(), &filter).await, expected, "{filter}");
    }
    let token = fixture.token(stranger, Role::Restaurant);
    let filter = format!("restaurantId={restaurant}");
    assert_eq!(count(&token, &filter).await, (json!(0), json!(0)));
    let bad = fixture.app.get("/api/v1/orders/counts?userId=7");
    bad.token(&fixture.admin()).await.problem(422);
}
