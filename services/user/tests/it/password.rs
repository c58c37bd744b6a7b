use serde_json::json;
use tiffin_events::Role;
use time::Duration;

use crate::harness::{PASSWORD, Service};

const NEW: &str = "Hopper-Stall@7am";

#[tokio::test]
async fn a_new_password_ends_what_was_opened_with_the_old_one() {
    let service = Service::start().await;
    let me = service.person(Role::Customer, "c@tiffin.local").await;
    let other_device = service.sign_in("c@tiffin.local").await;
    service.clock.advance(Duration::seconds(1));
    let path = format!("/api/v1/users/update/password/{}", me.id);
    let change = json!({ "oldPassword": PASSWORD, "newPassword": NEW });
    let cookie = format!("tiffin_refresh={}", me.refresh);
    let answer = service
        .app
        .put(&path)
        .token(&me.token)
        .header("cookie", &cookie)
        .json(&change)
        .await;
    assert_eq!(answer.expect(200)["message"], "Password changed");
    assert_eq!(service.event_names().await, ["password_changed"]);
    service
        .app
        .put(&path)
        .token(&me.token)
        .json(&change)
        .await
        .problem(401);
    service.refresh(&other_device.refresh).await.problem(401);
    service.refresh(&me.refresh).await.expect(200);
    service.login("c@tiffin.local", PASSWORD).await.problem(401);
    service.login("c@tiffin.local", NEW).await.expect(200);
}

#[tokio::test]
async fn it_needs_the_old_one_and_keeps_the_rule() {
    let service = Service::start().await;
    let me = service.person(Role::Customer, "c@tiffin.local").await;
    let admin = service.person(Role::Admin, "a@tiffin.local").await;
    let path = format!("/api/v1/users/update/password/{}", me.id);
    let change = |old: &str, new: &str| json!({ "oldPassword": old, "newPassword": new });
    let call = |token: &str, body| service.app.put(&path).token(token).json(&body);
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
    assert!(service.events().await.is_empty());
}
