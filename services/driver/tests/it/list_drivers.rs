use serde_json::{Value, json};
use tiffin_events::{Role, UserId};
use uuid::Uuid;

use crate::fixture::Fixture;

const SOMEONE: UserId = UserId(Uuid::from_u128(5));

fn ids(list: &Value) -> Vec<&str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(|driver| driver["id"].as_str())
        .collect()
}

#[tokio::test]
async fn administrators_see_all_drivers_and_a_driver_their_own_row() {
    let fixture = Fixture::start().await;
    let (one, two) = (
        fixture.register("one@example.com").await,
        fixture.register("two@example.com").await,
    );
    for (token, sees) in [
        (fixture.admin(), vec![two, one]),
        (fixture.token(one, Role::Delivery), vec![one]),
        (fixture.token(SOMEONE, Role::Delivery), vec![]),
    ] {
        let list = list(&fixture, "", &token).await;
        let expected: Vec<_> = sees.iter().map(ToString::to_string).collect();
        assert_eq!(ids(&list), expected);
        for driver in list.as_array().unwrap() {
            assert_eq!(driver["drNic"], "901234567V");
            assert_eq!(driver["address"], "5 Union Place");
            assert_eq!(driver["phone"], "0777654321");
            assert_eq!(driver["lastName"], "Fernando");
        }
    }
    fixture
        .app
        .get("/api/v1/driver")
        .token(&fixture.token(SOMEONE, Role::Customer))
        .await
        .problem(403);
    fixture.app.get("/api/v1/driver").await.problem(401);
}

#[tokio::test]
async fn the_list_comes_in_pages() {
    let fixture = Fixture::start().await;
    let (one, two) = (
        fixture.register("one@example.com").await,
        fixture.register("two@example.com").await,
    );
    let first = fixture
        .app
        .get("/api/v1/driver?limit=1")
        .token(&fixture.admin())
        .await;
    assert_eq!(
        first.header("link").unwrap(),
        format!("</api/v1/driver?limit=1&cursor={two}>; rel=\"next\"")
    );
    let next = fixture
        .app
        .get(&format!("/api/v1/driver?limit=1&cursor={two}"))
        .token(&fixture.admin())
        .await;
    assert_eq!(next.header("link"), None);
    assert_eq!(next.expect(200)[0]["id"], json!(one));
}

async fn list(fixture: &Fixture, query: &str, token: &str) -> Value {
    let call = fixture.app.get(&format!("/api/v1/driver?{query}"));
    call.token(token).await.expect(200)
}

#[tokio::test]
async fn those_who_take_deliveries_can_be_had_alone() {
    let fixture = Fixture::start().await;
    let one = fixture.register("one@example.com").await;
    let two = fixture.register("two@example.com").await;
    fixture.update(one, json!({"isAvailable": true})).await;
    fixture.create_restaurant(SOMEONE, true, (6.9, 79.8)).await;
    let owner = fixture.token(SOMEONE, Role::Restaurant);
    for (query, token, expected) in [
        ("available=true", fixture.admin(), vec![one]),
        ("available=false", fixture.admin(), vec![two]),
        ("", fixture.admin(), vec![two, one]),
        ("available=true", owner.clone(), vec![one]),
        ("available=false", owner.clone(), vec![]),
        ("", owner.clone(), vec![one]),
    ] {
        let expected: Vec<_> = expected.iter().map(ToString::to_string).collect();
        assert_eq!(
            ids(&list(&fixture, query, &token).await),
            expected,
            "{query}"
        );
    }
    let page = fixture
        .app
        .get("/api/v1/driver?available=true&near=6.9,79.8&limit=1");
    assert_eq!(page.token(&owner).await.header("link"), None);
    fixture.update(two, json!({"isAvailable": true})).await;
    let page = fixture.app.get("/api/v1/driver?near=6.9,79.8&limit=1");
    assert_eq!(
        page.token(&owner).await.header("link").unwrap(),
        format!("</api/v1/driver?near=6.9%2C79.8&limit=1&cursor={two}>; rel=\"next\"")
    );
}

#[tokio::test]
async fn administrators_see_how_far_a_driver_is_who_was_seen_lately() {
    let fixture = Fixture::start().await;
    let one = fixture.register("one@example.com").await;
    fixture.register("two@example.com").await;
    let admin = fixture.admin();
    let near = "near=6.9271,79.8612";
    let distance = async |query: &str| {
        list(&fixture, query, &admin).await[1]
            .get("distance")
            .cloned()
    };
    assert_eq!(distance(near).await, None);
    fixture.deliver_position(one, 6.9361, 79.8612, 0).await;
    let found = list(&fixture, near, &admin).await;
    assert_eq!(found[1]["distance"], 1_000);
    assert!(found[0].get("distance").is_none());
    assert!(found[1].get("lat").is_none(), "their position is hidden");
    assert_eq!(distance("").await, None);
    // Older by the device's clock, and a second newer: neither is kept.
    fixture.deliver_position(one, 7.0, 79.8612, -5).await;
    fixture.deliver_position(one, 7.0, 79.8612, 1).await;
    assert_eq!(distance(near).await, Some(json!(1_000)));
    fixture.deliver_position(one, 6.9271, 79.8612, 10).await;
    assert_eq!(distance(near).await, Some(json!(0)));
    sqlx::query("update positions set at = at - interval '31 minutes'")
        .execute(&fixture.pool)
        .await
        .unwrap();
    assert_eq!(distance(near).await, None);
}

#[tokio::test]
async fn what_is_no_place_and_no_truth_is_refused() {
    let fixture = Fixture::start().await;
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
        let call = fixture.app.get(&format!("/api/v1/driver?{query}"));
        call.token(&fixture.admin()).await.problem(422);
    }
}
