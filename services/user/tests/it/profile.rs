use serde_json::json;
use tiffin_events::Role;

use crate::fixture::{Fixture, PASSWORD, form};

#[tokio::test]
async fn an_update_changes_the_named_fields_only() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let path = format!("/api/v1/users/update/{}", me.id);
    let change = json!({ "firstName": "Kamala", "email": "admin@tiffin.local", "role": "admin", "image": null });
    let body = fixture
        .app
        .put(&path)
        .token(&me.token)
        .json(&change)
        .await
        .expect(200);
    let user = &body["user"];
    assert_eq!(
        (&user["firstName"], &user["lastName"]),
        (&json!("Kamala"), &json!("Perera"))
    );
    assert_eq!(
        (&user["email"], &user["role"]),
        (&json!("c@tiffin.local"), &json!("customer"))
    );
    assert_eq!(fixture.event_names().await, ["updated"]);
    fixture
        .app
        .put(&path)
        .token(&me.token)
        .json(&change)
        .await
        .expect(200);
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn the_location_page_has_a_separate_path() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let path = format!("/api/users/update/{}", me.id);
    let place = json!({ "address": "Galle Face", "lat": 6.9271, "lng": 79.8612 });
    let body = fixture
        .app
        .put(&path)
        .token(&me.token)
        .json(&place)
        .await
        .expect(200);
    assert_eq!(
        (&body["user"]["lat"], &body["user"]["lng"]),
        (&json!(6.9271), &json!(79.8612))
    );
    for wrong in [json!({ "lat": 6.9 }), json!({ "lat": 91, "lng": 0 })] {
        fixture
            .app
            .put(&path)
            .token(&me.token)
            .json(&wrong)
            .await
            .problem(422);
    }
}

#[tokio::test]
async fn only_oneself_and_administrators() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let other = fixture.account(Role::Customer, "o@tiffin.local").await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    let path = format!("/api/v1/users/update/{}", me.id);
    let change = json!({ "address": "2 Galle Road" });
    fixture
        .app
        .put(&path)
        .token(&other.token)
        .json(&change)
        .await
        .problem(403);
    fixture.app.put(&path).json(&change).await.problem(401);
    fixture
        .app
        .put(&path)
        .token(&admin.token)
        .json(&change)
        .await
        .expect(200);
    let unknown = format!("/api/v1/users/update/{}", fixture.clock.new_id());
    fixture
        .app
        .put(&unknown)
        .token(&admin.token)
        .json(&change)
        .await
        .problem(404);
    let events = fixture.events().await;
    assert_eq!(events[0].actor, admin.id.to_string());
}

#[tokio::test]
async fn a_profile_is_open_to_its_owner_before_the_address_is_proven() {
    let fixture = Fixture::start().await;
    let id = fixture
        .app
        .post("/api/v1/users")
        .json(&form("new@tiffin.local"))
        .await
        .expect(201)["user"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let token = fixture
        .login("new@tiffin.local", PASSWORD)
        .await
        .expect(200)["token"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/api/v1/users/update/{id}");
    fixture
        .app
        .put(&path)
        .token(&token)
        .json(&json!({ "lastName": "Silva" }))
        .await
        .expect(200);
}

#[tokio::test]
async fn administrators_list_everybody_page_by_page() {
    let fixture = Fixture::start().await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    for n in 0..3 {
        fixture.clock.advance(time::Duration::seconds(1));
        fixture
            .app
            .post("/api/v1/users")
            .json(&form(&format!("u{n}@tiffin.local")))
            .await
            .expect(201);
    }
    let all = fixture
        .app
        .get("/api/v1/users")
        .token(&admin.token)
        .await
        .expect(200);
    assert_eq!(all.as_array().unwrap().len(), 4);
    assert_eq!(all[0]["email"], "u2@tiffin.local");
    let page = fixture
        .app
        .get("/api/v1/users?limit=2")
        .token(&admin.token)
        .await;
    assert!(page.header("link").unwrap().contains("rel=\"next\""));
    assert_eq!(page.expect(200).as_array().unwrap().len(), 2);
    let customer = fixture.account(Role::Customer, "c@tiffin.local").await;
    fixture
        .app
        .get("/api/v1/users")
        .token(&customer.token)
        .await
        .problem(403);
    fixture.app.get("/api/v1/users").await.problem(401);
}
