use serde_json::{Value, json};
use tiffin_events::{Money, Role, UserId};

use crate::fixture::Fixture;

#[tokio::test]
async fn a_customer_sees_their_own_and_an_administrator_all() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.pay(&order, 1250.5).await.expect(201);
    let stranger = UserId(fixture.clock.new_id());
    for (user, role, count) in [
        (fixture.customer, Role::Customer, 1),
        (stranger, Role::Customer, 0),
        (stranger, Role::Admin, 1),
    ] {
        for path in ["/api/payment", "/api/v1/payment"] {
            let list = fixture
                .app
                .get(path)
                .token(&fixture.token(user, role))
                .await;
            let list: Vec<Value> = list.expect_as(200);
            assert_eq!(list.len(), count, "{role} {path}");
        }
    }
    for role in [Role::Restaurant, Role::Delivery] {
        let list = fixture
            .app
            .get("/api/payment")
            .token(&fixture.token(fixture.owner, role));
        list.await.problem(403);
    }
    fixture.app.get("/api/payment").await.problem(401);
}

#[tokio::test]
async fn pages_follow_each_other_without_a_gap() {
    let fixture = Fixture::new().await;
    for order in fixture.checkout(&[100, 100, 100, 100, 100]).await {
        fixture.clock.advance(time::Duration::seconds(1));
        fixture.pay(&order, 1.0).await.expect(201);
    }
    let (mut path, mut seen) = ("/api/v1/payment?limit=2".to_owned(), Vec::new());
    loop {
        let answer = fixture.app.get(&path).token(&fixture.customer()).await;
        let link = answer.header("link");
        let payments: Vec<Value> = answer.expect_as(200);
        seen.extend(payments.iter().map(|payment| payment["_id"].to_string()));
        let Some(link) = link else { break };
        link[1..].split_once('>').unwrap().0.clone_into(&mut path);
    }
    assert_eq!(seen.len(), 5);
    assert!(seen.is_sorted_by(|newer, older| newer > older), "{seen:?}");
    let bad = fixture.app.get("/api/v1/payment?limit=many");
    bad.token(&fixture.customer()).await.problem(422);
}

#[tokio::test]
async fn lists_are_searched_and_sorted() {
    let fixture = Fixture::new().await;
    let mut orders = Vec::new();
    for (cents, kind) in [
        (5_000, "PayPal"),
        (90_000, "Bank Transfer"),
        (700, "PayPal"),
    ] {
        let order = fixture.checkout(&[cents]).await.remove(0);
        fixture.clock.advance(time::Duration::seconds(1));
        let body = json!({ "bookingId": order.order_code, "amount": Money::from_cents(cents), "paymentType": kind });
        let call = fixture.app.post("/api/payment").token(&fixture.customer());
        call.json(&body).await.expect(201);
        orders.push(order.order_code);
    }
    let admin = fixture.token(UserId(fixture.clock.new_id()), Role::Admin);
    for (search, found) in [
        ("", vec![2, 1, 0]),
        ("sort=newest", vec![2, 1, 0]),
        ("sort=oldest", vec![0, 1, 2]),
        ("sort=amount", vec![1, 0, 2]),
        ("sort=smallest", vec![2, 0, 1]),
        ("type=PayPal&sort=amount", vec![0, 2]),
        ("type=Bank+Transfer", vec![1]),
        ("type=Card", vec![]),
        (&format!("q={}", orders[0].to_lowercase()), vec![0]),
        ("q=%25", vec![]),
    ] {
        for token in [&fixture.customer(), &admin] {
            let (mut path, mut seen) = (format!("/api/payment?limit=1&{search}"), Vec::new());
            loop {
                let answer = fixture.app.get(&path).token(token).await;
                let link = answer.header("link");
                let page: Vec<Value> = answer.expect_as(200);
                seen.extend(page.into_iter().map(|payment| payment["bookingId"].clone()));
                let Some(link) = link else { break };
                link[1..].split_once('>').unwrap().0.clone_into(&mut path);
            }
            let found: Vec<_> = found.iter().map(|n: &usize| json!(orders[*n])).collect();
            assert_eq!(seen, found, "{search}");
        }
    }
    for search in ["sort=best", "type=Cash", "q=a%00", "cursor=7"] {
        let call = fixture.app.get(&format!("/api/payment?{search}"));
        call.token(&admin).await.problem(422);
    }
}
