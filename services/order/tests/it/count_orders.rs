use serde_json::json;
use tiffin_events::{Role, UserId};

use crate::harness::Shop;

#[tokio::test]
async fn every_role_gets_its_counts_by_status() {
    let shop = Shop::open().await;
    shop.order().await;
    let confirmed = shop.order().await;
    shop.confirm(&confirmed).await.expect(200);
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
    let stranger = shop.token(UserId(shop.clock.new_id()), Role::Restaurant);
    for (token, counts) in [
        (shop.admin(), &both),
        (shop.owner(), &both),
        (shop.customer(), &both),
        (shop.token(shop.driver, Role::Delivery), &brought),
        (stranger, &none),
    ] {
        let answer = shop.app.get("/api/v1/orders/counts").token(&token).await;
        assert_eq!(&answer.expect(200), counts);
    }
    shop.app.get("/api/v1/orders/counts").await.problem(401);
}
