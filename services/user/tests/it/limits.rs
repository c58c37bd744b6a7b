//! Counters hold for all processes of the service together, and for the next one too.

use futures_util::future::join_all;
use serde_json::{Value, json};
use tiffin_events::Role;
use tiffin_testkit::{Answer, TestApp};
use time::Duration;

use crate::fixture::{Fixture, PASSWORD, SERVICE_KEY, form};

async fn login(app: &TestApp, email: &str, password: &str) -> Answer {
    let body = json!({ "email": email, "password": password });
    app.post("/api/v1/users/login").json(&body).await
}

#[tokio::test]
async fn a_flood_of_changes_to_a_profile_ends_at_sixty_an_hour() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let path = format!("/api/v1/users/update/{}", me.id);
    let mut accepted = 0;
    for nth in 0..300 {
        let change = json!({ "address": format!("{nth} Galle Road") });
        let call = fixture.app.put(&path).token(&me.token).json(&change);
        let answer = call.await;
        if answer.status == 200 {
            accepted += 1;
            continue;
        }
        assert_eq!(answer.header("retry-after").as_deref(), Some("3600"));
        answer.problem(429);
    }
    assert_eq!(accepted, 60);
}

#[tokio::test]
async fn a_flood_of_inquiries_ends_at_twenty_an_hour() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let mut ids = Vec::new();
    for _ in 0..300 {
        let body = json!({ "message": "Where is my kottu?" });
        let call = fixture.app.post("/api/inquiry").token(&me.token);
        let answer = call.json(&body).await;
        if answer.status == 201 {
            ids.push(answer.expect(201)["inquiry"]["_id"].clone());
            continue;
        }
        assert_eq!(answer.header("retry-after").as_deref(), Some("3600"));
        answer.problem(429);
    }
    assert_eq!(ids.len(), 20);
    let path = format!("/api/inquiry/{}", ids[0].as_str().unwrap());
    for nth in 0..=300 {
        let body = json!({ "message": format!("Where is my kottu? {nth}") });
        let call = fixture.app.put(&path).token(&me.token).json(&body);
        let status = if nth < 300 { 200 } else { 429 };
        assert_eq!(call.await.status, status, "{nth}");
    }
    let call = fixture.app.delete(&path).token(&me.token);
    call.await.problem(429);
    fixture.clock.advance(Duration::hours(1));
    let token = fixture.sign_in("c@tiffin.local").await.token;
    fixture.app.delete(&path).token(&token).await.expect(200);
}

#[tokio::test]
async fn two_processes_count_an_accounts_wrong_passwords_together() {
    let fixture = Fixture::start().await;
    fixture.account(Role::Customer, "c@tiffin.local").await;
    let second_process = fixture.second_process().await;
    let tries = (0..24).map(|n| {
        let app = if n % 2 == 0 {
            &fixture.app
        } else {
            &second_process
        };
        async move {
            login(app, "c@tiffin.local", "Wrong-Pass@1")
                .await
                .status
                .as_u16()
        }
    });
    let answers = join_all(tries).await;
    let count = |status| answers.iter().filter(|answer| **answer == status).count();
    assert_eq!((count(401), count(429)), (10, 14), "{answers:?}");
    // A process that starts now knows of it too.
    let next = fixture.second_process().await;
    let refused = login(&next, "c@tiffin.local", PASSWORD).await;
    assert_eq!(refused.header("retry-after").as_deref(), Some("900"));
    refused.problem(429);
    fixture.clock.advance(Duration::minutes(15));
    login(&next, "c@tiffin.local", PASSWORD).await.expect(200);
}

#[tokio::test]
async fn two_processes_count_an_addresss_wrong_passwords_together() {
    let fixture = Fixture::start().await;
    let second_process = fixture.second_process().await;
    let tries = (0..40).map(|n| {
        let app = if n % 2 == 0 {
            &fixture.app
        } else {
            &second_process
        };
        let email = format!("unknown{n}@tiffin.local");
        async move { login(app, &email, PASSWORD).await.status.as_u16() }
    });
    let answers = join_all(tries).await;
    let count = |status| answers.iter().filter(|answer| **answer == status).count();
    assert_eq!((count(401), count(429)), (30, 10), "{answers:?}");
}

#[tokio::test]
async fn two_processes_send_one_code_in_half_a_minute_and_take_five_tries() {
    let fixture = Fixture::start().await;
    fixture
        .app
        .post("/api/v1/users")
        .json(&form("new@tiffin.local"))
        .await
        .expect(201);
    let token = fixture.sign_in("new@tiffin.local").await.token;
    let second_process = fixture.second_process().await;
    let apps = || {
        (0..12).map(|n| {
            if n % 2 == 0 {
                &fixture.app
            } else {
                &second_process
            }
        })
    };
    let asked = apps().map(|app| async { app.get("/api/v1/users/sendOTP").token(&token).await });
    let answers = join_all(asked).await;
    let sent = answers.iter().filter(|answer| answer.status == 200).count();
    let refused = answers.iter().filter(|answer| answer.status == 429).count();
    assert_eq!((sent, refused), (1, 11));
    let code = fixture.code().await;
    let wrong = json!({ "otp": if code == "000000" { "000001" } else { "000000" } });
    let tried = apps().map(|app| async {
        app.post("/api/v1/users/verifyOTP")
            .token(&token)
            .json(&wrong)
            .await
    });
    let answers = join_all(tried).await;
    let looked_at = answers.iter().filter(|answer| answer.status == 422).count();
    let refused = answers.iter().filter(|answer| answer.status == 429).count();
    assert_eq!((looked_at, refused), (5, 7));
}

#[tokio::test]
async fn a_network_opens_only_so_many_accounts_an_hour() {
    let fixture = Fixture::start_with(&[("TIFFIN_SIGN_UPS", "3")]).await;
    let second_process = fixture.second_process().await;
    let sign_up = |app: &TestApp, n: usize| {
        app.post("/api/v1/users")
            .json(&form(&format!("u{n}@tiffin.local")))
    };
    let tries = (0..6).map(|n| {
        let call = sign_up(
            if n % 2 == 0 {
                &fixture.app
            } else {
                &second_process
            },
            n,
        );
        async { call.await }
    });
    let answers = join_all(tries).await;
    let opened = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(opened, 3);
    let refused = answers
        .into_iter()
        .find(|answer| answer.status == 429)
        .unwrap();
    assert_eq!(refused.header("retry-after").as_deref(), Some("3600"));
    assert_eq!(
        refused.problem(429),
        "Too many accounts were opened from your network. Please try again later."
    );
    // A form that is not filled in costs nothing.
    let empty = fixture.app.post("/api/v1/users").json(&json!({}));
    empty.await.problem(422);
    fixture.clock.advance(Duration::hours(1));
    sign_up(&fixture.app, 7).await.expect(201);
}

#[tokio::test]
async fn drivers_sign_ups_are_counted_with_the_others_by_where_they_come_from() {
    let fixture =
        Fixture::start_with(&[("TIFFIN_SIGN_UPS", "2"), ("TIFFIN_BEHIND_PROXY", "true")]).await;
    let driver = |email: &str, network: Option<&str>| {
        let mut body = form(email);
        body["id"] = json!(fixture.clock.new_id());
        body["network"] = json!(network);
        body
    };
    let ask = |body: &Value| {
        let call = fixture.app.post("/internal/users").json(body);
        call.header("authorization", &format!("Service {SERVICE_KEY}"))
    };
    let first = driver("a@tiffin.local", Some("203.0.113.1"));
    ask(&first).await.expect(201);
    // Asked for again, it is the same sign-up.
    ask(&first).await.expect(201);
    let customer = fixture.app.post("/api/v1/users");
    let customer = customer.json(&form("b@tiffin.local"));
    customer
        .header("x-forwarded-for", "203.0.113.1")
        .await
        .expect(201);
    let third = driver("c@tiffin.local", Some("203.0.113.1"));
    let refused = ask(&third).await;
    assert_eq!(refused.header("retry-after").as_deref(), Some("3600"));
    refused.problem(429);
    ask(&driver("c@tiffin.local", Some("203.0.113.2")))
        .await
        .expect(201);
    ask(&driver("d@tiffin.local", None)).await.expect(201);
    fixture.clock.advance(Duration::hours(1));
    ask(&driver("e@tiffin.local", Some("203.0.113.1")))
        .await
        .expect(201);
}

#[tokio::test]
async fn behind_a_proxy_of_ours_each_network_is_counted_by_itself() {
    let fixture =
        Fixture::start_with(&[("TIFFIN_SIGN_UPS", "1"), ("TIFFIN_BEHIND_PROXY", "true")]).await;
    let sign_up = |email: &str, from: &str| {
        let call = fixture.app.post("/api/v1/users").json(&form(email));
        call.header("x-forwarded-for", from)
    };
    sign_up("a@tiffin.local", "203.0.113.1").await.expect(201);
    sign_up("b@tiffin.local", "203.0.113.1").await.problem(429);
    sign_up("b@tiffin.local", "203.0.113.2").await.expect(201);
    // Addresses in front of the proxy's own are not believed.
    let forged = sign_up("c@tiffin.local", "198.51.100.7, 203.0.113.2");
    forged.await.problem(429);
}
