use std::collections::BTreeSet;

use serde_json::{Value, json};
use tiffin_events::{
    Role, UserId,
    user::{UserEvent, UserRefV1},
};

use crate::harness::Shop;

#[tokio::test]
async fn everybody_sees_their_own_and_an_administrator_all() {
    let shop = Shop::open().await;
    let mine = shop.order().await;
    let neighbour = UserId(shop.clock.new_id());
    shop.account(neighbour, Role::Customer, "Ruwan", "9 Duplication Road")
        .await;
    let token = shop.token(neighbour, Role::Customer);
    let theirs = shop
        .app
        .post("/api/v1/orders")
        .token(&token)
        .json(&shop.cart())
        .await
        .expect(201);
    shop.confirm(&mine).await.expect(200);
    let strangers_shop = shop.token(UserId(shop.clock.new_id()), Role::Restaurant);
    for (token, count) in [
        (shop.customer(), 1),
        (token, 2),
        (shop.owner(), 3),
        (shop.admin(), 3),
        (shop.token(shop.driver, Role::Delivery), 1),
        (strangers_shop, 0),
    ] {
        let orders = shop
            .app
            .get("/api/v1/orders")
            .token(&token)
            .await
            .expect(200);
        assert_eq!(orders.as_array().unwrap().len(), count, "{orders}");
    }
    let newest = shop
        .app
        .get("/api/v1/orders")
        .token(&shop.owner())
        .await
        .expect(200)[0]["_id"]
        .clone();
    assert_eq!(newest, theirs["orders"][1]["_id"], "newest first");
    shop.app.get("/api/v1/orders").await.problem(401);
}

#[tokio::test]
async fn pages_follow_each_other_without_a_gap() {
    let shop = Shop::open().await;
    for _ in 0..5 {
        shop.order().await;
    }
    let (mut path, mut seen) = ("/api/v1/orders?limit=2".to_owned(), Vec::new());
    loop {
        let answer = shop.app.get(&path).token(&shop.customer()).await;
        let link = answer.header("link");
        let orders = answer.expect(200);
        seen.extend(
            orders
                .as_array()
                .unwrap()
                .iter()
                .map(|order| order["_id"].to_string()),
        );
        let Some(link) = link else { break };
        link[1..].split_once('>').unwrap().0.clone_into(&mut path);
    }
    assert_eq!(seen.len(), 5);
    assert!(seen.is_sorted_by(|newer, older| newer > older), "{seen:?}");
    shop.app
        .get("/api/v1/orders?limit=many")
        .token(&shop.customer())
        .await
        .problem(422);
}

#[tokio::test]
async fn a_closed_account_has_no_name() {
    let shop = Shop::open().await;
    let call = shop
        .app
        .post("/api/v1/orders")
        .token(&shop.customer())
        .header("Idempotency-Key", "one");
    let order = call.json(&shop.cart()).await.expect(201)["orders"][0].clone();
    shop.confirm(&order).await.expect(200);
    for (user_id, role) in [
        (shop.customer, Role::Customer),
        (shop.driver, Role::Delivery),
    ] {
        shop.learn(user_id.0, &UserEvent::Deleted(UserRefV1 { user_id, role }))
            .await;
    }
    let orders = shop
        .app
        .get("/api/v1/orders")
        .token(&shop.owner())
        .await
        .expect(200);
    let confirmed = |other: &&Value| other["_id"] == order["_id"];
    let order = orders.as_array().unwrap().iter().find(confirmed).unwrap();
    assert_eq!(order["email"], "");
    for field in ["customerName", "phone", "driverName", "driverPhone"] {
        assert_eq!(order[field], Value::Null, "{field}");
    }
    assert_eq!(
        order["address"],
        json!(crate::harness::HOME),
        "the order keeps where it went"
    );
    let kept = sqlx::query_scalar::<_, i64>("select count(*) from http.idempotency");
    assert_eq!(kept.fetch_one(&shop.db.pool).await.unwrap(), 0);
}

#[tokio::test]
async fn lists_are_searched_and_sorted() {
    let shop = Shop::open().await;
    let first = shop.checkout(&shop.cart()).await.expect(201)["orders"].clone();
    let second = shop.order().await;
    shop.confirm(&second).await.expect(200);
    let (kottus, hopper, kottu) = (&first[0]["_id"], &first[1]["_id"], &second["_id"]);
    let code = second["orderId"].as_str().unwrap().to_lowercase();
    for (search, found) in [
        ("", vec![kottu, hopper, kottus]),
        ("sort=newest", vec![kottu, hopper, kottus]),
        ("sort=oldest", vec![hopper, kottus, kottu]),
        ("sort=amount", vec![kottus, kottu, hopper]),
        ("status=confirmed", vec![kottu]),
        ("status=pending&sort=amount", vec![kottus, hopper]),
        ("q=EGG", vec![hopper]),
        ("q=nimal+perera", vec![kottu, hopper, kottus]),
        ("q=nimal@example", vec![kottu, hopper, kottus]),
        ("q=sunil", vec![kottu]),
        ("q=corner&status=confirmed", vec![kottu]),
        (&format!("q={code}"), vec![kottu]),
        ("q=%25", vec![]),
        ("q=+", vec![kottu, hopper, kottus]),
    ] {
        for token in [shop.owner(), shop.admin(), shop.customer()] {
            let path = format!("/api/v1/orders?{search}");
            let seen = shop.column(&path, &token, "_id").await;
            assert_eq!(seen.iter().collect::<Vec<_>>(), found, "{search}");
        }
    }
    for search in [
        "sort=best",
        "status=lost",
        "q=a%00",
        "cursor=7",
        "limit=1e9",
    ] {
        let call = shop.app.get(&format!("/api/v1/orders?{search}"));
        call.token(&shop.owner()).await.problem(422);
    }
}

#[tokio::test]
async fn pages_have_no_gaps_and_no_repeats_while_orders_come_in() {
    let shop = Shop::unlimited().await;
    let first: BTreeSet<_> = {
        for _ in 0..4 {
            shop.checkout(&shop.cart()).await.expect(201);
        }
        let all = shop.column("/api/v1/orders", &shop.owner(), "_id").await;
        all.iter().map(Value::to_string).collect()
    };
    for sort in ["newest", "oldest", "amount"] {
        let mut path = format!("/api/v1/orders?sort={sort}&limit=3");
        let mut seen = Vec::new();
        loop {
            let answer = shop.app.get(&path).token(&shop.owner()).await;
            let link = answer.header("link");
            let page = answer.expect(200);
            seen.extend(
                page.as_array()
                    .unwrap()
                    .iter()
                    .map(|order| order["_id"].to_string()),
            );
            shop.checkout(&shop.cart()).await.expect(201);
            let Some(link) = link.filter(|_| seen.len() < 200) else {
                break;
            };
            link[1..].split_once('>').unwrap().0.clone_into(&mut path);
        }
        let distinct: BTreeSet<_> = seen.iter().cloned().collect();
        assert_eq!(distinct.len(), seen.len(), "{sort}: a repeat");
        assert!(distinct.is_superset(&first), "{sort}: a gap");
    }
}
