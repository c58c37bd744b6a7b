use std::time::Duration;

use http::StatusCode;
use tiffin_chassis::Readiness;
use tiffin_events::{
    Role,
    live::{ClientFrame, ServerFrame},
};
use tiffin_live::Limits;
use tiffin_testkit::{LiveClient, token};
use time::OffsetDateTime;

use crate::fixture::{Fixture, user};

#[tokio::test]
async fn a_socket_that_says_nothing_is_closed() {
    let limits = Limits {
        auth_timeout: Duration::from_millis(300),
        ..Limits::default()
    };
    let fixture = Fixture::with(limits).await;
    let mut client = LiveClient::open(&fixture.bridge.app.live_url()).await;
    let closed = client.closed().await;
    assert_eq!(
        (closed.code, &*closed.reason),
        (Some(4401), "Please login first.")
    );
}

#[tokio::test]
async fn nothing_comes_before_the_token() {
    let fixture = Fixture::new().await;
    let mut client = LiveClient::open(&fixture.bridge.app.live_url()).await;
    client.send_text(r#"{"type":"watch","topic":"me"}"#).await;
    assert_eq!(client.closed().await.code, Some(4401));
}

#[tokio::test]
async fn a_good_token_is_answered_with_its_user_and_end() {
    let fixture = Fixture::new().await;
    let builder = token(&fixture.clock, user(1), Role::Customer);
    let mut client = LiveClient::open(&fixture.bridge.app.live_url()).await;
    client
        .send(&ClientFrame::Auth {
            token: builder.sign(),
        })
        .await;
    let expected = ServerFrame::Ready {
        user_id: user(1),
        expires_at: OffsetDateTime::from_unix_timestamp(builder.claims.exp).unwrap(),
    };
    assert_eq!(client.next().await, expected);
}

#[tokio::test]
async fn bad_tokens_are_refused_with_the_reason() {
    let fixture = Fixture::new().await;
    let good = token(&fixture.clock, user(1), Role::Customer);
    let cut_short = good.sign()[..40].to_owned();
    let cases = [
        (cut_short, "The token is not valid."),
        (good.tampered(), "The token is not valid."),
        (good.clone().symmetric().sign(), "The token is not valid."),
        (good.clone().expired().sign(), "The token has expired."),
        (
            good.clone().enrolling().sign(),
            "Please turn on two-step sign-in first.",
        ),
        (good.unverified().sign(), "Please verify your email first"),
    ];
    for (token, reason) in cases {
        let mut client = LiveClient::open(&fixture.bridge.app.live_url()).await;
        client.send(&ClientFrame::Auth { token }).await;
        let closed = client.closed().await;
        assert_eq!((closed.code, &*closed.reason), (Some(4401), reason));
    }
}

#[tokio::test]
async fn a_revocation_closes_the_users_sockets_and_no_others() {
    let fixture = Fixture::new().await;
    let mut blocked = [
        fixture.connect(user(1)).await,
        fixture.connect(user(1)).await,
    ];
    let mut other = fixture.connect(user(2)).await;
    fixture
        .verifier
        .revocations()
        .revoke(user(1), fixture.clock.now());
    for client in &mut blocked {
        assert_eq!(client.closed().await.code, Some(4401));
    }
    other.watch("me").await;
}

#[tokio::test]
async fn the_end_of_the_token_is_the_end_of_the_socket() {
    let fixture = Fixture::new().await;
    let mut builder = token(&fixture.clock, user(1), Role::Customer);
    builder.claims.exp = fixture.clock.now().unix_timestamp() + 2;
    let mut client = LiveClient::connect(&fixture.bridge.app.live_url(), &builder.sign()).await;
    let closed = client.closed().await;
    assert_eq!(
        (closed.code, &*closed.reason),
        (Some(4401), "The token has expired.")
    );
}

#[tokio::test]
async fn other_requests_and_foreign_pages_are_refused() {
    let fixture = Fixture::new().await;
    let answer = fixture.bridge.app.get("/live").await;
    assert_eq!(answer.status, StatusCode::UPGRADE_REQUIRED);
    assert_eq!(
        answer.header("sec-websocket-version").as_deref(),
        Some("13")
    );
    for (origin, status) in [("https://evil.example", 403), ("https://food.example", 101)] {
        let answer = fixture
            .bridge
            .app
            .get("/live")
            .header("connection", "upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")
            .header("origin", origin);
        let answer = tokio::time::timeout(Duration::from_secs(3), answer)
            .await
            .unwrap();
        assert_eq!(answer.status.as_u16(), status, "{origin}");
    }
}

#[tokio::test]
async fn a_shutdown_says_goodbye() {
    let fixture = Fixture::new().await;
    let readiness = Readiness::default();
    fixture.bridge.state.watch(&readiness);
    let mut client = fixture.connect(user(1)).await;
    client.watch("me").await;
    assert!(readiness.missing().await.is_empty());
    fixture.bridge.shutdown.cancel();
    assert_eq!(client.closed().await.code, Some(1001));
    tokio::time::timeout(Duration::from_secs(5), fixture.bridge.state.stopped())
        .await
        .unwrap();
}
