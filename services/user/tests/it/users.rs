use serde_json::{Value, json};
use tiffin_events::Role;
use time::Duration;

use crate::fixture::{Account, Fixture, form};

/// An administrator and four others, a second apart.
async fn five_accounts(fixture: &Fixture) -> Account {
    let admin = fixture.account(Role::Admin, "zoe@tiffin.local").await;
    for (role, email) in [
        (Role::Restaurant, "chef@tiffin.local"),
        (Role::Customer, "anne@tiffin.local"),
        (Role::Delivery, "ben@tiffin.local"),
        (Role::Customer, "dara@tiffin.local"),
    ] {
        fixture.clock.advance(Duration::seconds(1));
        fixture.account(role, email).await;
    }
    admin
}

/// The names before the `@` of a list's e-mail addresses.
async fn names(fixture: &Fixture, admin: &Account, query: &str) -> Vec<String> {
    let path = format!("/api/v1/users{query}");
    let body = fixture.app.get(&path).token(&admin.token).await;
    let rows: Vec<Value> = body.expect_as(200);
    rows.iter().map(name).collect()
}

fn name(row: &Value) -> String {
    let email = row["email"].as_str().unwrap();
    email.split('@').next().unwrap().to_owned()
}

#[tokio::test]
async fn administrators_search_filter_and_sort_everybody() {
    let fixture = Fixture::start().await;
    let admin = five_accounts(&fixture).await;
    for (query, expected) in [
        ("", "dara ben anne chef zoe"),
        ("?sort=newest", "dara ben anne chef zoe"),
        ("?sort=oldest", "zoe chef anne ben dara"),
        ("?sort=email", "anne ben chef dara zoe"),
        ("?sort=name", "dara ben anne chef zoe"),
        ("?sort=role", "zoe dara anne ben chef"),
        ("?role=customer", "dara anne"),
        ("?role=customer&sort=oldest", "anne dara"),
        ("?q=ANNE", "anne"),
        ("?q=nimal+perera", "dara ben anne chef zoe"),
        ("?q=0771234567&role=delivery", "ben"),
        ("?q=no-one", ""),
        ("?q=%25", ""),
        ("?q=", "dara ben anne chef zoe"),
    ] {
        let found = names(&fixture, &admin, query).await.join(" ");
        assert_eq!(found, expected, "{query}");
    }
    for query in [
        "?role=king",
        "?sort=age",
        "?cursor=x",
        "?q=%00",
        "?limit=many",
    ] {
        let path = format!("/api/v1/users{query}");
        fixture
            .app
            .get(&path)
            .token(&admin.token)
            .await
            .problem(422);
    }
}

#[tokio::test]
async fn pages_have_no_gaps_and_no_repeats_while_others_sign_up() {
    for sort in ["newest", "oldest", "name", "email", "role"] {
        let fixture = Fixture::start().await;
        let admin = five_accounts(&fixture).await;
        let expected = names(&fixture, &admin, &format!("?sort={sort}")).await;
        let mut seen = Vec::new();
        let mut next = Some(format!("/api/v1/users?limit=2&sort={sort}"));
        while let Some(path) = next {
            let page = fixture.app.get(&path).token(&admin.token).await;
            next = page.header("link").map(|link| {
                let (path, rest) = link.trim_start_matches('<').split_once('>').unwrap();
                assert_eq!(rest, "; rel=\"next\"");
                path.to_owned()
            });
            let rows: Vec<Value> = page.expect_as(200);
            seen.extend(rows.iter().map(name));
            fixture.clock.advance(Duration::seconds(1));
            let new = form(&format!("mid{}@tiffin.local", seen.len()));
            fixture
                .app
                .post("/api/v1/users")
                .json(&new)
                .await
                .expect(201);
        }
        let old: Vec<_> = seen
            .iter()
            .filter(|name| !name.starts_with("mid"))
            .collect();
        assert_eq!(old, expected.iter().collect::<Vec<_>>(), "{sort}");
        let mut distinct = seen.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), seen.len(), "{sort}: {seen:?}");
    }
}

#[tokio::test]
async fn only_administrators_read_the_list() {
    let fixture = Fixture::start().await;
    for role in [Role::Customer, Role::Restaurant, Role::Delivery] {
        let account = fixture.account(role, &format!("{role}@tiffin.local")).await;
        let call = fixture.app.get("/api/v1/users?q=a").token(&account.token);
        call.await.problem(403);
    }
    fixture.app.get("/api/v1/users").await.problem(401);
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    let rows = fixture.app.get("/api/v1/users").token(&admin.token).await;
    let first = &rows.expect(200)[0];
    assert_eq!(first["isBlocked"], json!(false));
    assert!(first.get("passwordHash").is_none() && first.get("password").is_none());
}
