use futures_util::future::join_all;
use serde_json::{Value, json};
use tiffin_events::Role;
use time::Duration;

use crate::fixture::{Account, Fixture, PASSWORD, form};

const PATH: &str = "/api/inquiry";

/// Asks, and answers with the inquiry's id.
async fn ask(fixture: &Fixture, account: &Account, message: &str) -> String {
    let body = fixture
        .app
        .post(PATH)
        .token(&account.token)
        .json(&json!({ "message": message }))
        .await
        .expect(201);
    fixture.clock.advance(Duration::seconds(1));
    body["inquiry"]["_id"].as_str().unwrap().to_owned()
}

async fn list(fixture: &Fixture, account: &Account, query: &str) -> Vec<Value> {
    let path = format!("{PATH}{query}");
    let body = fixture.app.get(&path).token(&account.token).await;
    body.expect_as(200)
}

#[tokio::test]
async fn a_customer_asks_and_the_administrator_answers() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    let id = ask(&fixture, &me, " Do you deliver to Kandy? ").await;
    let mine = &list(&fixture, &me, "").await[0];
    assert_eq!(
        (&mine["_id"], &mine["id"], &mine["response"]),
        (&json!(id), &json!(id), &Value::Null)
    );
    assert_eq!(mine["message"], "Do you deliver to Kandy?");
    let path = format!("{PATH}/{id}");
    let change = |token: &str, body: Value| fixture.app.put(&path).token(token).json(&body);
    change(&me.token, json!({ "message": "And to Galle?" }))
        .await
        .expect(200);
    let body = change(&admin.token, json!({ "response": "Not yet." }))
        .await
        .expect(200);
    let answered = &body["inquiry"];
    assert_eq!(
        (&answered["email"], &answered["phone"]),
        (&json!("c@tiffin.local"), &json!("0771234567"))
    );
    let mine = &list(&fixture, &me, "").await[0];
    assert_eq!(
        (&mine["message"], &mine["response"]),
        (&json!("And to Galle?"), &json!("Not yet."))
    );
    assert_eq!(mine["answeredAt"], mine["updatedAt"]);
    fixture.app.delete(&path).token(&me.token).await.expect(200);
    assert!(list(&fixture, &admin, "").await.is_empty());
    let events = fixture.events().await;
    let seen: Vec<_> = events
        .iter()
        .map(|event| (event.kind.as_str(), event.sequence))
        .collect();
    assert_eq!(
        seen,
        [
            ("tiffin.inquiry.opened.v1", 1),
            ("tiffin.inquiry.updated.v1", 2),
            ("tiffin.inquiry.answered.v1", 3),
            ("tiffin.inquiry.deleted.v1", 4),
        ]
    );
    for event in events {
        let data = event.data.to_string();
        for private in ["c@tiffin.local", "0771234567", "Nimal", "Galle", "Not yet"] {
            assert!(!data.contains(private), "{data}");
        }
    }
}

#[tokio::test]
async fn everybody_sees_their_own_and_administrators_all() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let owner = fixture.account(Role::Restaurant, "o@tiffin.local").await;
    let driver = fixture.account(Role::Delivery, "d@tiffin.local").await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    for account in [&me, &owner, &driver, &admin] {
        ask(&fixture, account, "Hello").await;
    }
    for account in [&me, &owner, &driver] {
        let seen = list(&fixture, account, "").await;
        assert_eq!((seen.len(), &seen[0]["email"]), (1, &json!(account.email)));
    }
    let all = list(&fixture, &admin, "").await;
    let emails: Vec<_> = all
        .iter()
        .map(|row| row["email"].as_str().unwrap())
        .collect();
    assert_eq!(
        emails,
        [
            "a@tiffin.local",
            "d@tiffin.local",
            "o@tiffin.local",
            "c@tiffin.local"
        ]
    );
    fixture.app.get(PATH).await.problem(401);
    fixture
        .app
        .post(PATH)
        .json(&json!({ "message": "Hi" }))
        .await
        .problem(401);
}

#[tokio::test]
async fn both_paths_lead_to_the_same_inquiries() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let call = |path: &str| fixture.app.get(path).token(&me.token);
    for (n, path) in ["/api/inquiry", "/api/v1/inquiry"].into_iter().enumerate() {
        let new = json!({ "message": format!("Question {n}") });
        let body = fixture
            .app
            .post(path)
            .token(&me.token)
            .json(&new)
            .await
            .expect(201);
        let one = format!("{path}/{}", body["inquiry"]["_id"].as_str().unwrap());
        let change = json!({ "message": "Another one" });
        fixture
            .app
            .put(&one)
            .token(&me.token)
            .json(&change)
            .await
            .expect(200);
        assert_eq!(
            call("/api/inquiry").await.expect(200),
            call("/api/v1/inquiry").await.expect(200)
        );
        fixture.app.delete(&one).token(&me.token).await.expect(200);
    }
}

#[tokio::test]
async fn another_accounts_inquiry_is_not_found() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let other = fixture.account(Role::Customer, "x@tiffin.local").await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    let id = ask(&fixture, &me, "Hello").await;
    let absent = fixture.clock.new_id().to_string();
    fixture.events().await;
    for id in [&id, &absent] {
        let path = format!("{PATH}/{id}");
        let change = json!({ "message": "Mine now" });
        let put = fixture.app.put(&path).token(&other.token).json(&change);
        assert_eq!(put.await.problem(404), "There is no such inquiry.");
        fixture
            .app
            .delete(&path)
            .token(&other.token)
            .await
            .problem(404);
    }
    let path = format!("{PATH}/{id}");
    let put = |token: &str, body: Value| fixture.app.put(&path).token(token).json(&body);
    put(&me.token, json!({ "response": "Yes!" }))
        .await
        .problem(403);
    put(&admin.token, json!({ "message": "Other words" }))
        .await
        .problem(403);
    assert!(fixture.events().await.is_empty());
    fixture
        .app
        .delete(&path)
        .token(&admin.token)
        .await
        .expect(200);
    fixture
        .app
        .put(&format!("{PATH}/none"))
        .token(&me.token)
        .json(&json!({}))
        .await
        .problem(404);
}

#[tokio::test]
async fn an_empty_text_is_refused_in_the_words_of_its_page() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    let id = ask(&fixture, &me, "Hello").await;
    for body in [
        json!({}),
        json!({ "message": "" }),
        json!({ "message": " \n" }),
    ] {
        let post = fixture.app.post(PATH).token(&me.token).json(&body);
        assert_eq!(post.await.problem(422), "Please enter your message.");
    }
    let path = format!("{PATH}/{id}");
    for (token, body, text) in [
        (
            &me.token,
            json!({ "message": "  " }),
            "Message cannot be empty.",
        ),
        (&me.token, json!({}), "Message cannot be empty."),
        (
            &admin.token,
            json!({ "response": "\t" }),
            "Response cannot be empty.",
        ),
        (&admin.token, json!({}), "Response cannot be empty."),
        (
            &admin.token,
            json!({ "response": null }),
            "Response cannot be empty.",
        ),
    ] {
        let put = fixture.app.put(&path).token(token).json(&body).await;
        assert_eq!(put.problem(422), text, "{body}");
    }
    let long = json!({ "message": "x".repeat(2001) });
    fixture
        .app
        .post(PATH)
        .token(&me.token)
        .json(&long)
        .await
        .problem(422);
    let long = json!({ "message": "ඇ".repeat(2000) });
    fixture
        .app
        .post(PATH)
        .token(&me.token)
        .json(&long)
        .await
        .expect(201);
    assert_eq!(list(&fixture, &me, "").await[1]["message"], "Hello");
}

#[tokio::test]
async fn one_key_asks_once_however_often_it_is_sent() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let other = fixture.account(Role::Customer, "x@tiffin.local").await;
    let send = |token: &str, message: &str| {
        let body = json!({ "message": message });
        let call = fixture.app.post(PATH).header("idempotency-key", "k1");
        call.token(token).json(&body)
    };
    let answers =
        join_all((0..10).map(|_| async { send(&me.token, "Hello").await.expect(201) })).await;
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(list(&fixture, &me, "").await.len(), 1);
    send(&me.token, "Something else").await.problem(422);
    send(&other.token, "Something else").await.expect(201);
    assert_eq!(
        fixture.event_names().await,
        ["inquiry.opened", "inquiry.opened"]
    );
}

#[tokio::test]
async fn pages_have_no_gaps_and_no_repeats_while_others_ask() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    let mut expected = Vec::new();
    for n in 0..7 {
        expected.insert(0, ask(&fixture, &me, &format!("Question {n}")).await);
    }
    let mut seen = Vec::new();
    let mut next = Some(format!("{PATH}?limit=3&q=question"));
    while let Some(path) = next {
        let page = fixture.app.get(&path).token(&admin.token).await;
        next = page.header("link").map(|link| {
            let (path, rest) = link.trim_start_matches('<').split_once('>').unwrap();
            assert_eq!(rest, "; rel=\"next\"");
            path.to_owned()
        });
        let rows: Vec<Value> = page.expect_as(200);
        seen.extend(
            rows.iter()
                .map(|row| row["_id"].as_str().unwrap().to_owned()),
        );
        ask(&fixture, &me, "A question in between").await;
    }
    assert_eq!(seen, expected);
    let refused = fixture.app.get("/api/inquiry?cursor=x").token(&admin.token);
    refused.await.problem(422);
}

#[tokio::test]
async fn administrators_search_words_and_people() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "carol@tiffin.local").await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    let id = ask(&fixture, &me, "100% vegan hoppers?").await;
    ask(&fixture, &admin, "A note").await;
    let answer = json!({ "response": "On Poya days" });
    let path = format!("{PATH}/{id}");
    fixture
        .app
        .put(&path)
        .token(&admin.token)
        .json(&answer)
        .await
        .expect(200);
    for (q, count) in [
        ("VEGAN", 1),
        ("poya", 1),
        ("carol@", 1),
        ("Nimal+Perera", 2),
        ("077", 2),
        ("%25", 1),
        ("_", 0),
        ("nothing+of+it", 0),
    ] {
        let found = list(&fixture, &admin, &format!("?q={q}")).await;
        assert_eq!(found.len(), count, "{q}");
    }
    let nul = fixture.app.get("/api/inquiry?q=%00").token(&admin.token);
    nul.await.problem(422);
}

#[tokio::test]
async fn an_unproven_address_asks_nothing() {
    let fixture = Fixture::start().await;
    fixture
        .app
        .post("/api/v1/users")
        .json(&form("new@tiffin.local"))
        .await
        .expect(201);
    let body = fixture
        .login("new@tiffin.local", PASSWORD)
        .await
        .expect(200);
    let token = body["token"].as_str().unwrap();
    let post = fixture.app.post(PATH).token(token);
    assert_eq!(
        post.json(&json!({ "message": "Hello" })).await.problem(403),
        "Please verify your email first"
    );
}

#[tokio::test]
async fn an_accounts_inquiries_are_deleted_with_it() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    let new = json!({ "message": "My number is 0712345678" });
    fixture
        .app
        .post(PATH)
        .token(&me.token)
        .header("idempotency-key", "k1")
        .json(&new)
        .await
        .expect(201);
    let gone = format!("/api/v1/users/{}", me.id);
    fixture.app.delete(&gone).token(&me.token).await.expect(200);
    assert!(list(&fixture, &admin, "").await.is_empty());
    assert_eq!(
        fixture.event_names().await,
        ["inquiry.opened", "deleted", "inquiry.deleted"]
    );
    let kept: i64 = sqlx::query_scalar("select count(*) from http.idempotency")
        .fetch_one(&fixture.db.pool)
        .await
        .unwrap();
    assert_eq!(kept, 0);
}
