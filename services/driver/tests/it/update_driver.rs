use serde_json::json;
use tiffin_events::{Role, UserId, user::UserEvent};
use uuid::Uuid;

use crate::fixture::{Fixture, profile, user_ref};

const EMAIL: &str = "kasun@example.com";

#[tokio::test]
async fn a_driver_says_whether_they_take_deliveries() {
    let fixture = Fixture::start().await;
    let id = fixture.register(EMAIL).await;
    fixture.published().await;
    for (is_available, events) in [
        (true, vec!["available.v1"]),
        (true, vec![]),
        (false, vec!["unavailable.v1"]),
    ] {
        let driver = fixture
            .update(id, json!({ "isAvailable": is_available }))
            .await;
        assert_eq!(
            (&driver["isAvailable"], &driver["firstName"]),
            (&json!(is_available), &json!("Kasun"))
        );
        assert_eq!(
            fixture
                .published()
                .await
                .into_iter()
                .map(|(kind, _)| kind)
                .collect::<Vec<_>>(),
            events
        );
    }
    assert_eq!(fixture.users.updates(), []);
}

#[tokio::test]
async fn a_profile_is_changed_with_the_user_service_in_the_callers_name() {
    let fixture = Fixture::start().await;
    let id = fixture.register(EMAIL).await;
    fixture.published().await;
    let token = fixture.token(id, Role::Delivery);
    let change = json!({
        "firstName": "Kasuni", "email": "else@example.com", "vehicleType": "Van", "drNic": "199012345678",
        "isAvailable": true,
    });
    let answer = fixture
        .app
        .put(&format!("/api/v1/driver/{id}"))
        .token(&token)
        .json(&change)
        .await
        .expect(200);
    let driver = &answer["driver"];
    assert_eq!(answer["message"], "Driver updated successfully");
    assert_eq!(
        (
            &driver["firstName"],
            &driver["email"],
            &driver["vehicleType"],
            &driver["drNic"],
            &driver["isAvailable"]
        ),
        (
            &json!("Kasuni"),
            &json!(EMAIL),
            &json!("Van"),
            &json!("199012345678"),
            &json!(true)
        )
    );
    let updates = fixture.users.updates();
    let [(authorization, body)] = &updates[..] else {
        panic!("{updates:?}")
    };
    assert_eq!(authorization, &format!("Bearer {token}"));
    assert_eq!(
        (&body["firstName"], body.get("email"), body.get("drNic")),
        (&json!("Kasuni"), None, None)
    );
    assert_eq!(
        fixture.published().await,
        [("updated.v1".to_owned(), 2), ("available.v1".to_owned(), 3)]
    );
}

#[tokio::test]
async fn what_the_user_service_refuses_changes_nothing_here() {
    let fixture = Fixture::start().await;
    let id = fixture.register(EMAIL).await;
    fixture.published().await;
    let call = fixture
        .app
        .put(&format!("/api/v1/driver/{id}"))
        .token(&fixture.token(id, Role::Delivery));
    let refused = call
        .json(&json!({"firstName": "R2D2", "vehicleType": "Car"}))
        .await
        .expect(422);
    assert_eq!(
        refused["fields"],
        json!({"firstName": "A name is made of letters and spaces."})
    );
    assert_eq!(fixture.published().await, []);
}

#[tokio::test]
async fn only_the_driver_and_administrators_change_a_driver() {
    let fixture = Fixture::start().await;
    let (id, other) = (fixture.register(EMAIL).await, UserId(Uuid::from_u128(9)));
    let path = format!("/api/v1/driver/{id}");
    let change = json!({"isAvailable": true});
    for (token, status) in [
        (fixture.token(other, Role::Delivery), 403),
        (fixture.token(other, Role::Restaurant), 403),
        (fixture.token(other, Role::Customer), 403),
        (fixture.admin(), 200),
    ] {
        let answer = fixture.app.put(&path).token(&token).json(&change).await;
        assert_eq!(answer.status.as_u16(), status, "{}", answer.text);
    }
    fixture.app.put(&path).json(&change).await.problem(401);
    for unknown in [other.to_string(), "unknown".to_owned()] {
        let path = format!("/api/v1/driver/{unknown}");
        let answer = fixture
            .app
            .put(&path)
            .token(&fixture.admin())
            .json(&change)
            .await;
        assert_eq!(answer.problem(404), "Driver not found.");
    }
    let empty = fixture
        .app
        .put(&path)
        .token(&fixture.admin())
        .json(&json!({"role": "admin"}))
        .await;
    assert_eq!(empty.problem(422), "There is nothing to change.");
    fixture
        .app
        .put(&path)
        .token(&fixture.admin())
        .json(&json!({"isAvailable": "yes"}))
        .await
        .problem(422);
}

#[tokio::test]
async fn a_blocked_driver_stays_unavailable_and_their_profile_untouched() {
    let fixture = Fixture::start().await;
    let id = fixture.register(EMAIL).await;
    fixture
        .deliver_user_event(id, 1, UserEvent::Registered(profile(id, EMAIL)))
        .await;
    fixture
        .deliver_user_event(id, 2, UserEvent::Blocked(user_ref(id).into()))
        .await;
    let call = fixture
        .app
        .put(&format!("/api/v1/driver/{id}"))
        .token(&fixture.admin());
    let refused = call
        .json(&json!({"isAvailable": true, "firstName": "Kasuni"}))
        .await;
    assert_eq!(refused.problem(409), "The driver is blocked.");
    assert_eq!(fixture.users.updates(), []);
}
