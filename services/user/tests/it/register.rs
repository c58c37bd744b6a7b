use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tiffin_events::user::UserEvent;
use tiffin_events::{Event, Role};

use crate::fixture::{Fixture, form};

const PATH: &str = "/api/v1/users";

#[tokio::test]
async fn a_filled_in_form_opens_an_account_and_tells_the_others() {
    let fixture = Fixture::start().await;
    let body = fixture
        .app
        .post(PATH)
        .json(&form(" Anne@Tiffin.Local "))
        .await
        .expect(201);
    assert_eq!(body["message"], "Registration Successfully");
    let user = &body["user"];
    assert_eq!(
        (&user["email"], &user["role"]),
        (&json!("anne@tiffin.local"), &json!("customer"))
    );
    assert_eq!(
        (&user["emailVerified"], &user["isBlocked"]),
        (&json!(false), &json!(false))
    );
    assert_eq!(user["_id"], user["id"]);
    let events = fixture.events().await;
    let [event] = &events[..] else {
        panic!("{events:?}")
    };
    let Ok(Some(UserEvent::Registered(profile))) = UserEvent::decode(&event.kind, &event.data)
    else {
        panic!("{event:?}")
    };
    assert_eq!(
        (profile.email.as_str(), profile.verified, event.sequence),
        ("anne@tiffin.local", false, 1)
    );
    assert!(!event.data.to_string().contains("argon2"), "{}", event.data);
}

#[tokio::test]
async fn an_address_has_one_account_however_it_is_spelled() {
    let fixture = Fixture::start().await;
    fixture.account(Role::Customer, "anne@tiffin.local").await;
    let again = fixture
        .app
        .post(PATH)
        .json(&form("ANNE@tiffin.local"))
        .await;
    assert_eq!(again.problem(409), "Email Already Added");
    assert!(fixture.event_names().await.is_empty());
}

#[tokio::test]
async fn a_repeated_request_with_the_same_key_gets_the_first_answer() {
    let fixture = Fixture::start().await;
    let call = |body: Value| {
        fixture
            .app
            .post(PATH)
            .header("idempotency-key", "k1")
            .json(&body)
    };
    let first = call(form("anne@tiffin.local")).await.expect(201);
    let second = call(form("anne@tiffin.local")).await.expect(201);
    assert_eq!(first, second);
    assert_eq!(fixture.event_names().await, ["registered"]);
}

#[tokio::test]
async fn a_key_that_comes_again_with_another_password_is_refused() {
    let fixture = Fixture::start().await;
    let call = |body: &Value| {
        fixture
            .app
            .post(PATH)
            .header("idempotency-key", "k1")
            .json(body)
    };
    let mut body = form("anne@tiffin.local");
    call(&body).await.expect(201);
    body["password"] = json!("Another-Pass@1");
    assert_eq!(
        call(&body).await.problem(422),
        "This Idempotency-Key was used for another request."
    );
}

#[tokio::test]
async fn no_fast_digest_of_a_password_is_kept() {
    let fixture = Fixture::start().await;
    let mut body = form("anne@tiffin.local");
    fixture
        .app
        .post(PATH)
        .header("idempotency-key", "k1")
        .json(&body)
        .await
        .expect(201);
    let kept: Vec<u8> = sqlx::query_scalar("select body_hash from http.idempotency")
        .fetch_one(&fixture.db.pool)
        .await
        .unwrap();
    body.sort_all_objects();
    assert_ne!(
        kept,
        Sha256::digest(serde_json::to_vec(&body).unwrap()).to_vec()
    );
}

#[tokio::test]
async fn every_wrong_field_is_named_at_once() {
    let fixture = Fixture::start().await;
    let wrong = json!({ "email": "anne", "password": "short", "firstName": "R2", "phone": "abc" });
    let answer = fixture.app.post(PATH).json(&wrong).await.expect(422);
    let fields: Vec<_> = answer["fields"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    assert_eq!(
        fields,
        [
            "address",
            "email",
            "firstName",
            "image",
            "lastName",
            "password",
            "phone"
        ]
    );
    assert_eq!(answer["fields"]["image"], "Please upload profile picture");
    assert_eq!(
        answer["fields"]["password"],
        "Password must be at least 8 characters long and include at least one uppercase letter and one symbol."
    );
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn no_registration_makes_an_administrator_or_a_driver() {
    let fixture = Fixture::start().await;
    for (role, status) in [
        ("admin", 422),
        ("delivery", 422),
        ("king", 422),
        ("restaurant", 201),
    ] {
        let mut body = form(&format!("{role}@tiffin.local"));
        body["role"] = json!(role);
        body["emailVerified"] = json!(true);
        body["verified"] = json!(true);
        let answer = fixture.app.post(PATH).json(&body).await.expect(status);
        assert!(
            status == 422 || answer["user"]["emailVerified"] == false,
            "{answer}"
        );
    }
}

#[tokio::test]
async fn rubbish_is_refused_by_what_it_is() {
    let fixture = Fixture::start().await;
    fixture.app.post(PATH).raw("{").await.problem(400);
    fixture
        .app
        .post(PATH)
        .json(&json!({ "email": 7 }))
        .await
        .problem(422);
    fixture.app.post(PATH).await.problem(415);
}
