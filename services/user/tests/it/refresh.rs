use futures_util::future::join_all;
use tiffin_events::Role;
use time::Duration;

use crate::fixture::{Fixture, refresh_token};

#[tokio::test]
async fn a_session_goes_on_from_token_to_token() {
    let fixture = Fixture::start().await;
    let mut refresh = fixture
        .account(Role::Customer, "c@tiffin.local")
        .await
        .refresh;
    for _ in 0..3 {
        fixture.clock.advance(Duration::minutes(14));
        let answer = fixture.refresh(&refresh).await;
        let next = refresh_token(&answer).unwrap();
        assert_ne!(next, refresh);
        assert_eq!(answer.expect(200)["user"]["email"], "c@tiffin.local");
        refresh = next;
    }
}

#[tokio::test]
async fn two_tabs_may_race_for_ten_seconds() {
    let fixture = Fixture::start().await;
    let first = fixture
        .account(Role::Customer, "c@tiffin.local")
        .await
        .refresh;
    let answers = join_all((0..8).map(|_| fixture.refresh(&first))).await;
    let next: Vec<_> = answers.iter().filter_map(refresh_token).collect();
    assert_eq!(next.len(), 8);
    fixture.clock.advance(Duration::seconds(10));
    fixture.refresh(&first).await.expect(200);
    fixture.clock.advance(Duration::minutes(1));
    for token in &next {
        fixture.refresh(token).await.expect(200);
    }
}

#[tokio::test]
async fn a_used_token_that_comes_back_ends_the_whole_session() {
    let fixture = Fixture::start().await;
    let stolen = fixture
        .account(Role::Customer, "c@tiffin.local")
        .await
        .refresh;
    let other_device = fixture.sign_in("c@tiffin.local").await.refresh;
    let next = refresh_token(&fixture.refresh(&stolen).await).unwrap();
    fixture.clock.advance(Duration::seconds(11));
    let refused = fixture.refresh(&stolen).await;
    assert!(refused.header("set-cookie").unwrap().contains("Max-Age=0"));
    refused.problem(401);
    fixture.refresh(&next).await.problem(401);
    fixture.refresh(&other_device).await.expect(200);
}

#[tokio::test]
async fn a_session_ends_after_thirty_days_of_silence() {
    let fixture = Fixture::start().await;
    let refresh = fixture
        .account(Role::Customer, "c@tiffin.local")
        .await
        .refresh;
    fixture.clock.advance(Duration::days(29));
    let next = refresh_token(&fixture.refresh(&refresh).await).unwrap();
    fixture.clock.advance(Duration::days(30));
    fixture.refresh(&next).await.problem(401);
}

#[tokio::test]
async fn without_a_cookie_or_with_a_made_up_one_there_is_no_session() {
    let fixture = Fixture::start().await;
    fixture.app.post("/api/v1/users/refresh").await.problem(401);
    fixture.refresh("made-up").await.problem(401);
}

#[tokio::test]
async fn logging_out_ends_the_session_and_takes_the_cookie_away() {
    let fixture = Fixture::start().await;
    let refresh = fixture
        .account(Role::Customer, "c@tiffin.local")
        .await
        .refresh;
    let cookie = format!("theme=dark; tiffin_refresh={refresh}");
    let answer = fixture
        .app
        .post("/api/v1/users/logout")
        .header("cookie", &cookie)
        .await;
    assert!(answer.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert_eq!(answer.expect(200)["message"], "Logged out");
    fixture.refresh(&refresh).await.problem(401);
    fixture.app.post("/api/v1/users/logout").await.expect(200);
}

#[tokio::test]
async fn a_refresh_that_a_block_overtakes_is_refused() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let block = "update users set blocked = true";
    fixture
        .overtaken(block, fixture.refresh(&me.refresh))
        .await
        .problem(403);
}
