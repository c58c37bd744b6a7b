use std::collections::BTreeSet;

use serde_json::Value;
use tiffin_events::{
    Role, UserId,
    user::{UserEvent, UserRefV1},
};
use tiffin_testkit::tables_with;

use crate::fixture::Fixture;

#[tokio::test]
async fn everybody_sees_their_own_and_an_administrator_all() {
    let fixture = Fixture::new().await;
    let mine = fixture.order().await;
    let neighbour = UserId(fixture.clock.new_id());
    fixture
        .account(neighbour, Role::Customer, "Ruwan", "9 Duplication Road")
        .await;
    let token = fixture.token(neighbour, Role::Customer);
    let theirs = fixture
        .app
        .post("/api/v1/orders")
        .token(&token)
        .json(&fixture.cart())
        .await
        .expect(201);
    fixture.confirm(&mine).await.expect(200);
    let strangers_shop = fixture.token(UserId(fixture.clock.new_id()), Role::Restaurant);
    for (token, count) in [
        (fixture.customer(), 1),
        (token, 2),
        (fixture.owner(), 3),
        (fixture.admin(), 3),
        (fixture.token(fixture.driver, Role::Delivery), 1),
        (strangers_shop, 0),
    ] {
        let orders = fixture
            .app
            .get("/api/v1/orders")
            .token(&token)
            .await
            .expect(200);
        assert_eq!(orders.as_array().unwrap().len(), count, "{orders}");
    }
    let newest = fixture
        .app
        .get("/api/v1/orders")
        .token(&fixture.owner())
        .await
        .expect(200)[0]["_id"]
        .clone();
    assert_eq!(newest, theirs["orders"][1]["_id"], "newest first");
    fixture.app.get("/api/v1/orders").await.problem(401);
}

#[tokio::test]
async fn pages_follow_each_other_without_a_gap() {
    let fixture = Fixture::new().await;
    for _ in 0..5 {
        fixture.order().await;
    }
    let (mut path, mut seen) = ("/api/v1/orders?limit=2".to_owned(), Vec::new());
    loop {
        let answer = fixture.app.get(&path).token(&fixture.customer()).await;
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
    fixture
        .app
        .get("/api/v1/orders?limit=many")
        .token(&fixture.customer())
        .await
        .problem(422);
}

#[tokio::test]
async fn a_closed_account_has_no_name() {
    let fixture = Fixture::new().await;
    let call = fixture
        .app
        .post("/api/v1/orders")
        .token(&fixture.customer())
        .header("Idempotency-Key", "one");
    let order = call.json(&fixture.cart()).await.expect(201)["orders"][0].clone();
    fixture.confirm(&order).await.expect(200);
    let total = order["totalAmount"].clone();
    let found = tables_with(&fixture.db.pool, crate::fixture::HOME).await;
    assert!(found.contains(&"public.orders".to_owned()), "{found:?}");
    for (user_id, role) in [
        (fixture.customer, Role::Customer),
        (fixture.driver, Role::Delivery),
    ] {
        fixture
            .deliver_event(user_id.0, &UserEvent::Deleted(UserRefV1 { user_id, role }))
            .await;
    }
    let orders = fixture
        .app
        .get("/api/v1/orders")
        .token(&fixture.owner())
        .await
        .expect(200);
    let confirmed = |other: &&Value| other["_id"] == order["_id"];
    let order = orders.as_array().unwrap().iter().find(confirmed).unwrap();
    assert_eq!(order["email"], "");
    for field in ["customerName", "phone", "driverName", "driverPhone"] {
        assert_eq!(order[field], Value::Null, "{field}");
    }
    assert_eq!(order["address"], "");
    assert_eq!(order["totalAmount"], total);
    for personal in [crate::fixture::HOME, "79.8522", "Nimal", "nimal@"] {
        assert!(
            tables_with(&fixture.db.pool, personal).await.is_empty(),
            "{personal}"
        );
    }
    let kept = sqlx::query_scalar::<_, i64>("select count(*) from http.idempotency");
    assert_eq!(kept.fetch_one(&fixture.db.pool).await.unwrap(), 0);
}

#[tokio::test]
async fn lists_are_searched_and_sorted() {
    let fixture = Fixture::new().await;
    let first = fixture.checkout(&fixture.cart()).await.expect(201)["orders"].clone();
    let second = fixture.order().await;
    fixture.confirm(&second).await.expect(200);
    let (kottus, hopper, kottu) = (&first[0]["_id"], &first[1]["_id"], &second["_id"]);
    let code = second["orderId"].as_str().unwrap().to_lowercase();
    for (search, found) in [
        ("", vec![kottu, hopper, kottus]),
        ("sort=newest", vec![kottu, hopper, kottus]),
        ("sort=oldest", vec![hopper, kottus, kottu]),
        ("sort=amount", vec![kottus, kottu, hopper]),
        ("sort=smallest", vec![hopper, kottu, kottus]),
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
        for token in [fixture.owner(), fixture.admin(), fixture.customer()] {
            let path = format!("/api/v1/orders?{search}");
            let seen = fixture.column(&path, &token, "_id").await;
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
        let call = fixture.app.get(&format!("/api/v1/orders?{search}"));
        call.token(&fixture.owner()).await.problem(422);
    }
}

#[tokio::test]
async fn orders_that_wait_for_approval_are_listed_apart() {
    let fixture = Fixture::new().await;
    let (approved, waiting, cancelled) = (
        fixture.order().await,
        fixture.order().await,
        fixture.order().await,
    );
    let id = |order: &Value| order["_id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/orders/isApprove/{}", id(&approved));
    fixture
        .app
        .put(&path)
        .token(&fixture.admin())
        .await
        .expect(200);
    let path = format!("/api/v1/orders/cancel/{}", id(&cancelled));
    fixture
        .app
        .post(&path)
        .token(&fixture.customer())
        .await
        .expect(200);
    for (search, found) in [
        ("isApprove=false", vec![id(&waiting)]),
        ("isApprove=true", vec![id(&approved)]),
        ("isApprove=false&status=cancelled", vec![]),
        ("isOpen=true", vec![id(&waiting), id(&approved)]),
        ("isOpen=false", vec![id(&cancelled)]),
    ] {
        let path = format!("/api/v1/orders?{search}");
        let seen = fixture.column(&path, &fixture.admin(), "_id").await;
        assert_eq!(seen, found, "{search}");
    }
    let call = fixture.app.get("/api/v1/orders?isApprove=perhaps");
    call.token(&fixture.admin()).await.problem(422);
}

#[tokio::test]
async fn pages_have_no_gaps_and_no_repeats_while_orders_come_in() {
    let fixture = Fixture::unlimited().await;
    let first: BTreeSet<_> = {
        for _ in 0..4 {
            fixture.checkout(&fixture.cart()).await.expect(201);
        }
        let all = fixture
            .column("/api/v1/orders", &fixture.owner(), "_id")
            .await;
        all.iter().map(Value::to_string).collect()
    };
    for sort in ["newest", "oldest", "amount", "smallest"] {
        let mut path = format!("/api/v1/orders?sort={sort}&limit=3");
        let mut seen = Vec::new();
        loop {
            let answer = fixture.app.get(&path).token(&fixture.owner()).await;
            let link = answer.header("link");
            let page = answer.expect(200);
            seen.extend(
                page.as_array()
                    .unwrap()
                    .iter()
                    .map(|order| order["_id"].to_string()),
            );
            fixture.checkout(&fixture.cart()).await.expect(201);
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
