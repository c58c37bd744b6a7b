use std::future::IntoFuture;

use serde_json::json;
use tiffin_events::{UserId, user::UserEvent};

use crate::{
    fake_user_service::Behaviour,
    fixture::{Fixture, form, profile},
};

const EMAIL: &str = "kasun@example.com";

#[tokio::test]
async fn a_form_makes_an_account_and_a_driver_of_the_same_id() {
    let fixture = Fixture::start().await;
    let answer = fixture
        .app
        .post("/api/v1/driver")
        .json(&form(EMAIL))
        .await
        .expect(201);
    let accounts = fixture.users.accounts();
    let [account] = &accounts[..] else {
        panic!("{accounts:?}")
    };
    let id = &account["id"];
    assert_eq!(
        answer,
        json!({
            "message": "Registration Successfully",
            "driver": {
                "_id": id,
                "id": id,
                "email": EMAIL,
                "firstName": "Kasun",
                "lastName": "Fernando",
                "address": "5 Union Place",
                "phone": "0777654321",
                "image": "/storage/v1/object/public/images/1-kasun.webp",
                "vehicleType": "Bike",
                "drNic": "901234567V",
                "isAvailable": false,
                "role": "delivery",
            },
        })
    );
    assert!(account.get("drNic").is_none() && account.get("role").is_none());
    assert_eq!(fixture.published().await, [("registered.v1".to_owned(), 1)]);
    // The account's event comes later and finds everything done.
    let id: UserId = id.as_str().unwrap().parse().unwrap();
    fixture
        .deliver_user_event(id, 1, UserEvent::Registered(profile(id, EMAIL)))
        .await;
    assert_eq!(fixture.published().await, []);
}

#[tokio::test]
async fn a_taken_address_is_refused_in_the_user_services_words() {
    let fixture = Fixture::start().await;
    fixture.register(EMAIL).await;
    fixture.published().await;
    let again = fixture.app.post("/api/v1/driver").json(&form(EMAIL)).await;
    assert_eq!(again.problem(409), "Email Already Added");
    assert_eq!(fixture.published().await, []);
}

#[tokio::test]
async fn every_fault_of_the_form_is_named_by_either_service() {
    let fixture = Fixture::start().await;
    let mut body = form(EMAIL);
    body["vehicleType"] = json!(null);
    body["drNic"] = json!("");
    let ours = fixture
        .app
        .post("/api/v1/driver")
        .json(&body)
        .await
        .expect(422);
    assert_eq!(
        ours["fields"]
            .as_object()
            .unwrap()
            .keys()
            .collect::<Vec<_>>(),
        ["drNic", "vehicleType"]
    );
    body["vehicleType"] = json!("Rocket");
    let unknown = fixture
        .app
        .post("/api/v1/driver")
        .json(&body)
        .await
        .expect(422);
    assert_eq!(
        unknown["message"],
        "vehicleType must be one of Car, Bike, Van, Truck."
    );
    assert_eq!(fixture.users.accounts(), [json!(null); 0]);
    let mut body = form(EMAIL);
    body["password"] = json!("weak");
    let theirs = fixture
        .app
        .post("/api/v1/driver")
        .json(&body)
        .await
        .expect(422);
    assert_eq!(
        theirs["fields"],
        json!({"password": "Password must be at least 8 characters long."})
    );
    assert_eq!(fixture.published().await, []);
}

#[tokio::test]
async fn a_failed_first_half_is_made_good_by_asking_again() {
    let fixture = Fixture::start().await;
    for behaviour in [Behaviour::Fails, Behaviour::LosesTheAnswer] {
        fixture.users.behave(behaviour);
        let failed = fixture.app.post("/api/v1/driver").json(&form(EMAIL)).await;
        assert_eq!(failed.header("retry-after").as_deref(), Some("2"));
        failed.problem(503);
    }
    assert_eq!(fixture.published().await, []);
    let id = fixture.register(EMAIL).await;
    assert_eq!(fixture.users.accounts()[0]["id"], id.to_string());
    assert_eq!(fixture.users.accounts().len(), 1);
    assert_eq!(fixture.published().await, [("registered.v1".to_owned(), 1)]);
}

#[tokio::test]
async fn a_sign_up_is_counted_by_where_it_comes_from() {
    let fixture = Fixture::start_behind_a_proxy().await;
    let sign_up = || {
        let call = fixture.app.post("/api/v1/driver").json(&form(EMAIL));
        // Addresses in front of the proxy's own are not believed.
        call.header("x-forwarded-for", "198.51.100.7, 2001:db8:1:2:3:4:5:6")
    };
    fixture.users.behave(Behaviour::RefusesSignUps);
    let refused = sign_up().await;
    assert_eq!(refused.header("retry-after").as_deref(), Some("1200"));
    assert_eq!(refused.problem(429), "Too many accounts were opened.");
    assert_eq!(fixture.published().await, []);
    sign_up().await.expect(201);
    assert_eq!(fixture.users.accounts()[0]["network"], "2001:db8:1:2::");
}

#[tokio::test]
async fn a_lost_answer_is_made_good_by_the_accounts_event() {
    let fixture = Fixture::start().await;
    fixture.users.behave(Behaviour::LosesTheAnswer);
    fixture
        .app
        .post("/api/v1/driver")
        .json(&form(EMAIL))
        .await
        .problem(503);
    let id: UserId = fixture.users.accounts()[0]["id"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    fixture
        .deliver_user_event(id, 1, UserEvent::Registered(profile(id, EMAIL)))
        .await;
    assert_eq!(fixture.published().await, [("registered.v1".to_owned(), 1)]);
    let list = fixture
        .app
        .get("/api/v1/driver")
        .token(&fixture.admin())
        .await
        .expect(200);
    assert_eq!(
        (&list[0]["id"], &list[0]["drNic"]),
        (&json!(id), &json!("901234567V"))
    );
}

#[tokio::test]
async fn another_persons_form_does_not_take_over_a_sign_up() {
    let fixture = Fixture::start().await;
    fixture.users.behave(Behaviour::LosesTheAnswer);
    fixture
        .app
        .post("/api/v1/driver")
        .json(&form(EMAIL))
        .await
        .problem(503);
    let mut other = form(EMAIL);
    other["drNic"] = json!("199012345678");
    assert_eq!(
        fixture
            .app
            .post("/api/v1/driver")
            .json(&other)
            .await
            .problem(409),
        "Email Already Added"
    );
}

#[tokio::test]
async fn a_key_gives_the_first_answer_again_to_twins_too() {
    let fixture = Fixture::start().await;
    let body = form(EMAIL);
    let call = || {
        fixture
            .app
            .post("/api/v1/driver")
            .header("idempotency-key", "k1")
            .json(&body)
    };
    fixture.users.behave(Behaviour::LosesTheAnswer);
    call().await.problem(503);
    let id: UserId = fixture.users.accounts()[0]["id"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    fixture
        .deliver_user_event(id, 1, UserEvent::Registered(profile(id, EMAIL)))
        .await;
    let (one, two) = tokio::join!(call().into_future(), call().into_future());
    let one = one.expect(201);
    assert_eq!((&one, &one["driver"]["id"]), (&two.expect(201), &json!(id)));
    assert_eq!(call().await.expect(201), one);
    assert_eq!(fixture.published().await, [("registered.v1".to_owned(), 1)]);
}

#[tokio::test]
async fn a_wrong_key_between_services_shows_no_detail_to_clients() {
    let fixture = Fixture::start_with_key("wrong").await;
    fixture
        .app
        .post("/api/v1/driver")
        .json(&form(EMAIL))
        .await
        .problem(503);
}

#[tokio::test]
async fn no_password_is_kept_in_any_form() {
    let fixture = Fixture::start().await;
    let call = fixture
        .app
        .post("/api/v1/driver")
        .header("idempotency-key", "k1");
    call.json(&form(EMAIL)).await.expect(201);
    let mut other = form(EMAIL);
    other["password"] = json!("Another@2026");
    let call = fixture
        .app
        .post("/api/v1/driver")
        .header("idempotency-key", "k1");
    // The password is no part of what the key remembers.
    call.json(&other).await.expect(201);
    assert_eq!(fixture.users.accounts()[0]["password"], "Tiffin@2026");
}
