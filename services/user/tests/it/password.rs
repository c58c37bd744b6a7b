use serde_json::json;
use tiffin_events::Role;
use time::Duration;

use crate::fixture::{Fixture, PASSWORD};

const NEW: &str = "Hopper-Stall@7am";

#[tokio::test]
async fn a_new_password_ends_what_was_opened_with_the_old_one() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let other_device = fixture.sign_in("c@tiffin.local").await;
    fixture.clock.advance(Duration::seconds(1));
    let path = format!("/api/v1/users/update/password/{}", me.id);
    let change = json!({ "oldPassword": PASSWORD, "newPassword": NEW });
    let cookie = format!("tiffin_refresh={}", me.refresh);
    let answer = fixture
        .app
        .put(&path)
        .token(&me.token)
        .header("cookie", &cookie)
        .json(&change)
        .await;
    assert_eq!(answer.expect(200)["message"], "Password changed");
    assert_eq!(fixture.event_names().await, ["password_changed"]);
    fixture
        .app
        .put(&path)
        .token(&me.token)
        .json(&change)
        .await
        .problem(401);
    fixture.refresh(&other_device.refresh).await.problem(401);
    fixture.refresh(&me.refresh).await.expect(200);
    fixture.login("c@tiffin.local", PASSWORD).await.problem(401);
    fixture.login("c@tiffin.local", NEW).await.expect(200);
}

#[tokio::test]
async fn it_needs_the_old_one_and_keeps_the_rule() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    let path = format!("/api/v1/users/update/password/{}", me.id);
    let change = |old: &str, new: &str| json!({ "oldPassword": old, "newPassword": new });
    let call = |token: &str, body| fixture.app.put(&path).token(token).json(&body);
    assert_eq!(
        call(&me.token, change("Wrong-Pass@1", NEW))
            .await
            .problem(422),
        "The old password is wrong."
    );
    call(&me.token, change(PASSWORD, "weak")).await.problem(422);
    call(&me.token, change(PASSWORD, "P@ssw0rd"))
        .await
        .problem(422);
    call(&admin.token, change(PASSWORD, NEW)).await.problem(403);
    for _ in 0..9 {
        call(&me.token, change("Wrong-Pass@1", NEW))
            .await
            .problem(422);
    }
    call(&me.token, change(PASSWORD, NEW)).await.problem(429);
    assert!(fixture.events().await.is_empty());
}
