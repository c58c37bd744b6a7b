use serde_json::json;
use tiffin_events::Role;
use time::Duration;

use crate::fixture::{Fixture, PASSWORD};

#[tokio::test]
async fn a_blocked_user_is_out_at_once_and_may_come_back() {
    let fixture = Fixture::start().await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    let user = fixture.account(Role::Customer, "c@tiffin.local").await;
    fixture.clock.advance(Duration::seconds(1));
    let path = "/api/v1/users/block/C@tiffin.local";
    let body = fixture.app.put(path).token(&admin.token).await.expect(200);
    assert_eq!(
        (&body["message"], &body["user"]["isBlocked"]),
        (&json!("User blocked"), &json!(true))
    );
    assert_eq!(fixture.event_names().await, ["blocked"]);
    let own = format!("/api/v1/users/update/{}", user.id);
    fixture
        .app
        .put(&own)
        .token(&user.token)
        .json(&json!({}))
        .await
        .problem(401);
    // Who was signed in reads why it ended, and loses the cookie.
    let refused = fixture.refresh(&user.refresh).await;
    assert!(refused.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert_eq!(refused.problem(403), "User is blocked");
    assert_eq!(
        fixture.login("c@tiffin.local", PASSWORD).await.problem(403),
        "User is blocked"
    );
    // A caller without the password learns nothing of it.
    fixture
        .login("c@tiffin.local", "Wrong-Pass@1")
        .await
        .problem(401);
    let body = fixture
        .app
        .put(path)
        .token(&admin.token)
        .json(&json!({}))
        .await
        .expect(200);
    assert_eq!(body["user"]["isBlocked"], false);
    assert_eq!(fixture.event_names().await, ["unblocked"]);
    fixture.clock.advance(Duration::seconds(1));
    fixture.login("c@tiffin.local", PASSWORD).await.expect(200);
}

#[tokio::test]
async fn a_given_state_is_set_and_not_toggled() {
    let fixture = Fixture::start().await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    fixture.account(Role::Customer, "c@tiffin.local").await;
    let path = "/api/v1/users/block/c@tiffin.local";
    for blocked in [true, true, false, false] {
        let body = json!({ "isBlocked": blocked });
        let answer = fixture
            .app
            .put(path)
            .token(&admin.token)
            .json(&body)
            .await
            .expect(200);
        assert_eq!(answer["user"]["isBlocked"], blocked);
    }
    assert_eq!(fixture.event_names().await, ["blocked", "unblocked"]);
}

#[tokio::test]
async fn only_administrators_block_and_no_account_blocks_itself() {
    let fixture = Fixture::start().await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    let customer = fixture.account(Role::Customer, "c@tiffin.local").await;
    fixture
        .app
        .put("/api/v1/users/block/a@tiffin.local")
        .token(&admin.token)
        .await
        .problem(403);
    fixture
        .app
        .put("/api/v1/users/block/a@tiffin.local")
        .token(&customer.token)
        .await
        .problem(403);
    fixture
        .app
        .put("/api/v1/users/block/x@tiffin.local")
        .token(&admin.token)
        .await
        .problem(404);
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn two_administrators_who_block_each_other_do_not_leave_none() {
    let fixture = Fixture::start().await;
    let one = fixture.account(Role::Admin, "one@tiffin.local").await;
    let two = fixture.account(Role::Admin, "two@tiffin.local").await;
    let block = |token: String, email: &'static str| {
        let app = &fixture.app;
        async move {
            app.put(&format!("/api/v1/users/block/{email}"))
                .token(&token)
                .await
                .status
                .as_u16()
        }
    };
    let (first, second) = tokio::join!(
        block(one.token, "two@tiffin.local"),
        block(two.token, "one@tiffin.local")
    );
    assert!(first == 200 || second == 200, "{first} {second}");
    assert!(first != 200 || second != 200, "{first} {second}");
}

#[tokio::test]
async fn administrators_see_the_reason_while_the_block_lasts() {
    let fixture = Fixture::start().await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    fixture.account(Role::Customer, "c@tiffin.local").await;
    let path = "/api/v1/users/block/c@tiffin.local";
    let block = async |body| {
        let call = fixture.app.put(path).token(&admin.token);
        call.json(&body).await
    };
    let refused = block(json!({ "isBlocked": true, "reason": "spite" })).await;
    refused.problem(422);
    let answer = block(json!({ "isBlocked": true, "reason": "fraud" })).await;
    assert_eq!(answer.expect(200)["user"]["blockReason"], "fraud");
    let list = fixture.app.get("/api/v1/users?q=c@tiffin.local");
    let list = list.token(&admin.token).await.expect(200);
    assert_eq!(list[0]["blockReason"], "fraud");
    let answer = block(json!({ "isBlocked": false })).await;
    assert_eq!(answer.expect(200)["user"]["blockReason"], json!(null));
}
