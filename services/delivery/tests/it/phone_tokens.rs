//! The tokens of drivers' phones: what ends them, and their limits.

use serde_json::json;
use tiffin_events::{
    Role,
    user::{UserBlockedV1, UserEvent, UserRefV1},
};

use crate::{
    fixture::Fixture,
    phone::{
        OWN_TRACKS, PHONE, TRACCAR, location, make, send_own_tracks, send_traccar, shown, traccar,
    },
};

async fn feed(fixture: &Fixture, event: UserEvent) {
    fixture.deliver_event(fixture.driver.0, &event).await;
}

#[tokio::test]
async fn forged_revoked_and_replaced_tokens_open_nothing() {
    let fixture = Fixture::new().await;
    let first = make(&fixture, fixture.driver).await;
    let second = make(&fixture, fixture.driver).await;
    let now = fixture.clock.now();
    let is_refused = async |token: &str| {
        let body = location(6.9, now).to_string();
        send_own_tracks(&fixture, token, &body).await.problem(401);
        fixture
            .app
            .get(&format!("{TRACCAR}?id={token}&lat=6.9&lon=79.85"))
            .await
            .problem(401);
        send_traccar(&fixture, &traccar(token, 6.9, now))
            .await
            .problem(401)
    };
    let unknown =
        "The phone's token is not valid: it was revoked or replaced. Please make another one.";
    let mut forged = second.clone();
    forged.replace_range(..1, if forged.starts_with('A') { "B" } else { "A" });
    let hash: String = sqlx::query_scalar("select encode(hash, 'hex') from phone_tokens")
        .fetch_one(&fixture.db.pool)
        .await
        .unwrap();
    for token in [
        &first,
        &forged,
        &hash,
        &"a".repeat(5_000),
        &fixture.driver.to_string(),
        &fixture.driver(),
    ] {
        assert_eq!(is_refused(token).await, unknown);
    }
    assert_eq!(is_refused("").await, "The phone's token is missing.");
    // An access token opens nothing here, and a phone's token nothing else.
    fixture
        .app
        .post(OWN_TRACKS)
        .token(&second)
        .json(&location(6.9, now))
        .await
        .problem(401);
    fixture
        .app
        .get("/api/v1/delivery")
        .token(&second)
        .await
        .problem(401);
    send_traccar(&fixture, &traccar(&second, 6.9, now))
        .await
        .expect(200);
    for _ in 0..2 {
        let answer = fixture.app.delete(PHONE).token(&fixture.driver()).await;
        assert_eq!(answer.expect(200), json!({ "token": null }));
    }
    assert_eq!(is_refused(&second).await, unknown);
    assert!(shown(&fixture).await.is_null());
}

#[tokio::test]
async fn a_token_ends_with_a_block_a_new_password_and_the_account() {
    let fixture = Fixture::new().await;
    let user = UserRefV1 {
        user_id: fixture.driver,
        role: Role::Delivery,
    };
    for event in [
        UserEvent::Blocked(UserBlockedV1::from(user.clone())),
        UserEvent::PasswordChanged(user.clone()),
        UserEvent::Deleted(user.clone()),
    ] {
        let token = make(&fixture, fixture.driver).await;
        let others = make(&fixture, fixture.other_driver).await;
        let body = traccar(&token, 6.9, fixture.clock.now());
        send_traccar(&fixture, &body).await.expect(200);
        let was_blocked = matches!(event, UserEvent::Blocked(_));
        feed(&fixture, event).await;
        send_traccar(&fixture, &body).await.problem(401);
        if was_blocked {
            feed(&fixture, UserEvent::Unblocked(user.clone())).await;
            send_traccar(&fixture, &body).await.problem(401);
        }
        let body = traccar(&others, 6.9, fixture.clock.now());
        send_traccar(&fixture, &body).await.expect(200);
    }
    let rows: i64 = sqlx::query_scalar("select count(*) from phone_tokens where driver_id = $1")
        .bind(fixture.driver.0)
        .fetch_one(&fixture.db.pool)
        .await
        .unwrap();
    assert_eq!(rows, 0);
    // Nothing is made for an account that is gone.
    fixture
        .app
        .post(PHONE)
        .token(&fixture.driver())
        .await
        .problem(503);
}

#[tokio::test]
async fn the_news_of_a_block_ends_a_token_before_its_event() {
    let fixture = Fixture::new().await;
    let token = make(&fixture, fixture.driver).await;
    fixture
        .revocations
        .revoke(fixture.driver, fixture.clock.now());
    let body = traccar(&token, 6.9, fixture.clock.now());
    send_traccar(&fixture, &body).await.problem(401);
    send_traccar(&fixture, &body).await.problem(401);
}

#[tokio::test]
async fn only_drivers_make_tokens_and_both_sides_have_limits() {
    let fixture = Fixture::new().await;
    for token in [fixture.customer(), fixture.owner(), fixture.admin()] {
        fixture.app.get(PHONE).token(&token).await.problem(403);
        fixture.app.post(PHONE).token(&token).await.problem(403);
        fixture.app.delete(PHONE).token(&token).await.problem(403);
    }
    fixture.app.post(PHONE).await.problem(401);
    let token = make(&fixture, fixture.driver).await;
    let body = traccar(&token, 6.9, fixture.clock.now());
    fixture
        .exhaust_limit("phone positions", fixture.driver)
        .await;
    let refused = send_traccar(&fixture, &body).await;
    assert!(refused.header("retry-after").is_some());
    refused.problem(429);
    fixture.exhaust_limit("phone tokens", fixture.driver).await;
    fixture
        .app
        .post(PHONE)
        .token(&fixture.driver())
        .await
        .problem(429);
    fixture
        .app
        .delete(PHONE)
        .token(&fixture.driver())
        .await
        .problem(429);
    // Strangers are counted by their network, and take nothing from a driver beside them.
    let others = make(&fixture, fixture.other_driver).await;
    let mut refused = Vec::new();
    for _ in 0..1_300 {
        let answer = fixture
            .app
            .get(&format!("{TRACCAR}?id=forged&lat=6.9&lon=79.85"))
            .await;
        refused.push(answer.status.as_u16());
        if refused.last() == Some(&429) {
            break;
        }
    }
    assert_eq!(refused.pop(), Some(429));
    assert!(refused.iter().all(|status| *status == 401));
    send_traccar(&fixture, &traccar(&others, 6.9, fixture.clock.now()))
        .await
        .expect(200);
}
