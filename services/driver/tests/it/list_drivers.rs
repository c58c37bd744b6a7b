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
