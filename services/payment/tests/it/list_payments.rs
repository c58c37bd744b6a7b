use serde_json::Value;
use tiffin_events::{Role, UserId};

use crate::harness::Till;

#[tokio::test]
async fn a_customer_sees_their_own_and_an_administrator_all() {
    let till = Till::open().await;
    let order = till.order().await;
    till.pay(&order, 1250.5).await.expect(201);
    let stranger = UserId(till.clock.new_id());
    for (user, role, count) in [
        (till.customer, Role::Customer, 1),
        (stranger, Role::Customer, 0),
        (stranger, Role::Admin, 1),
    ] {
        for path in ["/api/payment", "/api/v1/payment"] {
            let list = till.app.get(path).token(&till.token(user, role)).await;
            let list: Vec<Value> = list.expect_as(200);
            assert_eq!(list.len(), count, "{role} {path}");
        }
    }
    for role in [Role::Restaurant, Role::Delivery] {
        let list = till
            .app
            .get("/api/payment")
            .token(&till.token(till.owner, role));
        list.await.problem(403);
    }
    till.app.get("/api/payment").await.problem(401);
}

#[tokio::test]
async fn pages_follow_each_other_without_a_gap() {
    let till = Till::open().await;
    for order in till.checkout(&[100, 100, 100, 100, 100]).await {
        till.clock.advance(time::Duration::seconds(1));
        till.pay(&order, 1.0).await.expect(201);
    }
    let (mut path, mut seen) = ("/api/v1/payment?limit=2".to_owned(), Vec::new());
    loop {
        let answer = till.app.get(&path).token(&till.customer()).await;
        let link = answer.header("link");
        let payments: Vec<Value> = answer.expect_as(200);
        seen.extend(payments.iter().map(|payment| payment["_id"].to_string()));
        let Some(link) = link else { break };
        link[1..].split_once('>').unwrap().0.clone_into(&mut path);
    }
    assert_eq!(seen.len(), 5);
    assert!(seen.is_sorted_by(|newer, older| newer > older), "{seen:?}");
    let bad = till.app.get("/api/v1/payment?limit=many");
    bad.token(&till.customer()).await.problem(422);
}
