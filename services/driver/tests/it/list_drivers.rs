use serde_json::{Value, json};
use tiffin_events::{Role, UserId};
use uuid::Uuid;

use crate::fleet::Fleet;

const SOMEBODY: UserId = UserId(Uuid::from_u128(5));

fn ids(list: &Value) -> Vec<&str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(|driver| driver["id"].as_str())
        .collect()
}

#[tokio::test]
async fn owners_and_administrators_see_all_drivers_and_a_driver_their_own_row() {
    let fleet = Fleet::start().await;
    let (one, two) = (
        fleet.register("one@example.com").await,
        fleet.register("two@example.com").await,
    );
    for (token, sees, nic) in [
        (fleet.admin(), vec![two, one], "901234567V"),
        (fleet.token(SOMEBODY, Role::Restaurant), vec![two, one], ""),
        (fleet.token(one, Role::Delivery), vec![one], "901234567V"),
        (fleet.token(SOMEBODY, Role::Delivery), vec![], ""),
    ] {
        let list = fleet
            .app
            .get("/api/v1/driver")
            .token(&token)
            .await
            .expect(200);
        assert_eq!(
            ids(&list),
            sees.iter().map(ToString::to_string).collect::<Vec<_>>()
        );
        assert!(
            list.as_array()
                .unwrap()
                .iter()
                .all(|driver| driver["drNic"] == nic),
            "{list}"
        );
    }
    fleet
        .app
        .get("/api/v1/driver")
        .token(&fleet.token(SOMEBODY, Role::Customer))
        .await
        .problem(403);
    fleet.app.get("/api/v1/driver").await.problem(401);
}

#[tokio::test]
async fn the_list_comes_in_pages() {
    let fleet = Fleet::start().await;
    let (one, two) = (
        fleet.register("one@example.com").await,
        fleet.register("two@example.com").await,
    );
    let first = fleet
        .app
        .get("/api/v1/driver?limit=1")
        .token(&fleet.admin())
        .await;
    assert_eq!(
        first.header("link").unwrap(),
        format!("</api/v1/driver?limit=1&cursor={two}>; rel=\"next\"")
    );
    let next = fleet
        .app
        .get(&format!("/api/v1/driver?limit=1&cursor={two}"))
        .token(&fleet.admin())
        .await;
    assert_eq!(next.header("link"), None);
    assert_eq!(next.expect(200)[0]["id"], json!(one));
}

async fn list(fleet: &Fleet, query: &str, token: &str) -> Value {
    let call = fleet.app.get(&format!("/api/v1/driver?{query}"));
    call.token(token).await.expect(200)
}

#[tokio::test]
async fn those_who_take_deliveries_can_be_had_alone() {
    let fleet = Fleet::start().await;
    let one = fleet.register("one@example.com").await;
    let two = fleet.register("two@example.com").await;
    let call = fleet.app.put(&format!("/api/v1/driver/{one}"));
    let call = call.token(&fleet.token(one, Role::Delivery));
    call.json(&json!({"isAvailable": true})).await.expect(200);
    let owner = fleet.token(SOMEBODY, Role::Restaurant);
    for (query, expected) in [
        ("available=true", vec![one]),
        ("available=false", vec![two]),
        ("", vec![two, one]),
    ] {
        let expected: Vec<_> = expected.iter().map(ToString::to_string).collect();
        assert_eq!(ids(&list(&fleet, query, &owner).await), expected, "{query}");
    }
    let page = fleet
        .app
        .get("/api/v1/driver?available=true&near=6.9,79.8&limit=1");
    assert_eq!(page.token(&owner).await.header("link"), None);
    let page = fleet.app.get("/api/v1/driver?near=6.9,79.8&limit=1");
    assert_eq!(
        page.token(&owner).await.header("link").unwrap(),
        format!("</api/v1/driver?near=6.9%2C79.8&limit=1&cursor={two}>; rel=\"next\"")
    );
}

#[tokio::test]
async fn owners_see_how_far_a_driver_is_who_was_seen_lately() {
    let fleet = Fleet::start().await;
    let one = fleet.register("one@example.com").await;
    fleet.register("two@example.com").await;
    let owner = fleet.token(SOMEBODY, Role::Restaurant);
    let near = "near=6.9271,79.8612";
    assert!(
        list(&fleet, near, &owner).await[1]
            .get("distance")
            .is_none()
    );
    fleet.seen(one, 6.9361, 79.8612, 0).await;
    let found = list(&fleet, near, &owner).await;
    assert_eq!(found[1]["distance"], 1_000);
    assert!(found[0].get("distance").is_none());
    assert!(found[1].get("lat").is_none(), "where they are is not told");
    assert!(list(&fleet, "", &owner).await[1].get("distance").is_none());
    // Older by the device's clock, and a second newer: neither is kept.
    fleet.seen(one, 7.0, 79.8612, -5).await;
    fleet.seen(one, 7.0, 79.8612, 1).await;
    assert_eq!(list(&fleet, near, &owner).await[1]["distance"], 1_000);
    fleet.seen(one, 6.9271, 79.8612, 10).await;
    assert_eq!(list(&fleet, near, &owner).await[1]["distance"], 0);
    sqlx::query("update positions set at = at - interval '31 minutes'")
        .execute(&fleet.pool)
        .await
        .unwrap();
    assert!(
        list(&fleet, near, &owner).await[1]
            .get("distance")
            .is_none()
    );
}

#[tokio::test]
async fn what_is_no_place_and_no_truth_is_refused() {
    let fleet = Fleet::start().await;
    for query in [
        "near=6.9",
        "near=91,0",
        "near=x,y",
        "near=NaN,0",
        "near=inf,0",
        "near=",
        "near=%00",
        "available=maybe",
        "limit=x",
        "cursor=x",
    ] {
        let call = fleet.app.get(&format!("/api/v1/driver?{query}"));
        call.token(&fleet.admin()).await.problem(422);
    }
}
