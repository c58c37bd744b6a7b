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
