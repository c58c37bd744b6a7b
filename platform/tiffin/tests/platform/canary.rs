//! Everything that must be written down nowhere, sent through every way in; then a search through all
//! that is kept: the tables of every database, the streams and buckets of the broker and the files
//! they lie in, the logs, and the mails.
//!
//! Two exceptions, both looked for everywhere else: a code, and a link's token, is in the mail to the address
//! that it proves, and a browser's push secret is in the notification service's database, which encrypts to it.

use std::{fs, path::Path};

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tiffin_testkit::LiveClient;

use crate::{
    accounts::{self, Account, PASSWORD, PUSH_SECRET},
    google,
    restaurant_fixture::RestaurantFixture,
    settle::settle,
    stack::{Stack, eventually, send},
    streams,
};

const NEW_PASSWORD: &str = "Kanarie#Vogel77";
const WRONG_PASSWORD: &str = "Kanarie#Wrong66";
const CARD: &str = "4242 4242 4242 4242";
const DECLINED_CARD: &str = "4000 0000 0000 0002";
const UNKNOWN_CARD: &str = "4929 7311 6420 8857";
const CVV: &str = "739";
const LONG_CVV: &str = "73991827364";

/// The marks that are searched.
struct Secrets {
    /// Found anywhere in a text.
    long: Vec<String>,
    /// Digits that occur by chance: found only as a whole word.
    short: Vec<String>,
    /// Codes, and the address each was mailed to.
    codes: Vec<(String, String)>,
    /// Tokens of links, and the address each was mailed to.
    links: Vec<(String, String)>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_are_written_down_nowhere() {
    let issuer = google::Issuer::start().await;
    let test = "canary::secrets_are_written_down_nowhere";
    let stack = Stack::with(test, &issuer.settings()).await;
    let secrets = use_everything(&stack).await;
    settle(&stack).await;
    let places = places(&stack).await;
    // Something that may be kept is found in every kind of place, so the search does search.
    for (kind, known) in [
        ("database", "12 Galle Road"),
        ("stream", "5 Galle Road"),
        ("file", "tiffin.order."),
        ("log", "/api/v1/orders"),
        ("mail", "example.com"),
    ] {
        let mut of_kind = places.iter().filter(|(place, _)| place.starts_with(kind));
        assert!(
            of_kind.any(|(_, text)| text.contains(known)),
            "{kind}: {known}"
        );
    }
    let mut found = Vec::new();
    for (place, text) in &places {
        let plain = secrets.long.iter().filter(|secret| text.contains(*secret));
        let words = secrets.short.iter().filter(|secret| has_word(text, secret));
        found.extend(
            plain
                .chain(words)
                .map(|secret| format!("{secret} in {place}")),
        );
        let leaked = secrets.codes.iter().filter(|(code, email)| {
            let own = place.starts_with("mail") && text.contains(email.as_str());
            !own && has_word(text, code)
        });
        let is_mail = place.starts_with("mail");
        let read = is_mail.then(|| unfolded(text));
        let shown = secrets.links.iter().filter(|(token, email)| {
            let own = is_mail && text.contains(email.as_str());
            !own && read.as_ref().unwrap_or(text).contains(token)
        });
        found.extend(shown.map(|(_, email)| format!("the link of {email} in {place}")));
        if text.contains(PUSH_SECRET) && !place.starts_with("database notification") {
            found.push(format!("{PUSH_SECRET} in {place}"));
        }
        found.extend(leaked.map(|(code, email)| format!("the code {code} of {email} in {place}")));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The main job with all its secrets, and every way to get them wrong.
async fn use_everything(stack: &Stack) -> Secrets {
    let admin = accounts::admin(stack, "admin").await;
    let fixture = RestaurantFixture::new(stack, &admin, "").await;
    let mut long: Vec<String> = [
        PASSWORD,
        NEW_PASSWORD,
        WRONG_PASSWORD,
        LONG_CVV,
        google::TOKEN,
    ]
    .map(ToOwned::to_owned)
    .to_vec();
    for card in [CARD, DECLINED_CARD, UNKNOWN_CARD] {
        long.extend([card.to_owned(), card.replace(' ', "")]);
    }
    let mut codes = Vec::new();
    for account in [&fixture.customer, &fixture.owner, &fixture.driver] {
        long.push(account.token.clone());
        // Its signature is as good as the whole.
        long.extend(account.token.rsplit('.').next().map(ToOwned::to_owned));
        for mail in stack.mails_to(&account.email) {
            codes.extend(accounts::six_digits(&mail).map(|code| (code, account.email.clone())));
        }
    }
    long.extend(sessions(stack, &fixture.customer).await);
    let links = links(stack).await;
    mistakes(stack, &fixture).await;
    pay(stack, &fixture).await;
    let browser = accounts::browser("https://push.example.com/canary");
    let path = "/api/v1/notification/push";
    stack
        .post(path, Some(&fixture.customer), &browser)
        .await
        .expect(201);
    fixture.delivery(stack).await;
    long.extend(phone(stack, &fixture.driver).await);
    let live = format!("{}/live", stack.url().replacen("http", "ws", 1));
    let mut socket = LiveClient::connect(&live, &fixture.customer.token).await;
    socket.watch("me").await;
    Secrets {
        long,
        short: vec![CVV.to_owned()],
        codes,
        links,
    }
}

/// A driver's phone token, shown by each program that has one, and revoked.
async fn phone(stack: &Stack, driver: &Account) -> Option<String> {
    let path = "/api/v1/delivery/phone";
    let made = stack.post(path, Some(driver), &json!({})).await.expect(201);
    let token = made["token"].as_str()?.to_owned();
    let position = json!({ "_type": "location", "lat": 6.9, "lon": 79.85, "tst": 1 });
    for status in [200, 401] {
        let query = format!("{path}/traccar?id={token}&lat=6.9&lon=79.85&timestamp=1");
        let own_tracks = stack.request(Method::POST, &format!("{path}/owntracks"), None);
        for request in [
            stack.request(Method::GET, &query, None),
            stack.request(Method::POST, &query, None),
            own_tracks
                .basic_auth("driver", Some(&token))
                .json(&position),
        ] {
            let answer = send(request).await;
            assert_eq!(answer.status, status, "{}", answer.text);
            assert!(!answer.text.contains(&token), "{}", answer.text);
        }
        send(stack.request(Method::DELETE, path, Some(driver)))
            .await
            .expect(200);
    }
    Some(token)
}

/// A session begun, renewed and ended, and the password changed. Returns its refresh tokens.
async fn sessions(stack: &Stack, customer: &Account) -> Vec<String> {
    let mut tokens = Vec::new();
    let credentials = json!({ "email": customer.email, "password": PASSWORD });
    let login = stack.post("/api/v1/users/login", None, &credentials).await;
    let mut cookie = login.header("set-cookie").unwrap();
    for path in ["/api/v1/users/refresh", "/api/v1/users/logout"] {
        let pair = cookie.split(';').next().unwrap().to_owned();
        tokens.extend(pair.split_once('=').map(|(_, token)| token.to_owned()));
        let request = stack.request(Method::POST, path, None);
        let answer = send(request.header("cookie", pair)).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        cookie = answer.header("set-cookie").unwrap();
    }
    for (token, status) in [
        (google::TOKEN.to_owned(), 200),
        (format!("{}x", google::TOKEN), 401),
    ] {
        let body = json!({ "accessToken": token });
        let answer = stack.post("/api/v1/users/google", None, &body).await;
        assert_eq!(answer.status, status, "{}", answer.text);
        tokens.extend(answer.body["token"].as_str().map(ToOwned::to_owned));
    }
    let other = accounts::verified(stack, "changing", "customer").await;
    let path = format!("/api/v1/users/update/password/{}", other.id);
    let change = json!({ "oldPassword": PASSWORD, "newPassword": NEW_PASSWORD });
    stack.put(&path, Some(&other), &change).await.expect(200);
    tokens.push(other.token);
    tokens
}

/// Two mailed links: one that sets a password after a try that fails, and one that stays unused. Returns their
/// tokens and the address.
async fn links(stack: &Stack) -> Vec<(String, String)> {
    let account = accounts::verified(stack, "forgetting", "customer").await;
    let mut links: Vec<(String, String)> = Vec::new();
    for _ in 0..2 {
        let asked = json!({ "email": account.email });
        let path = "/api/v1/users/password/forgot";
        stack.post(path, None, &asked).await.expect(202);
        eventually("the link is mailed", async || {
            let known = links.len();
            for mail in stack.mails_to(&account.email) {
                let mail = unfolded(&mail);
                let token = mail.split_once("/reset-password#token=");
                let token = token.and_then(|(_, after)| after.lines().next());
                let link = token.map(|token| (token.to_owned(), account.email.clone()));
                links.extend(link.filter(|link| !links.contains(link)));
            }
            links.len() > known
        })
        .await;
        if links.len() > 1 {
            break;
        }
        let path = "/api/v1/users/password/reset";
        for (password, status) in [("weak", 422), (NEW_PASSWORD, 200)] {
            let body = json!({ "token": links[0].0, "password": password });
            let answer = stack.post(path, None, &body).await;
            assert_eq!(answer.status, status, "{}", answer.text);
            assert!(!answer.text.contains(&links[0].0), "{}", answer.text);
        }
    }
    links
}

/// A mail with its long lines in one piece (quoted-printable, RFC 2045, section 6.7).
fn unfolded(mail: &str) -> String {
    mail.replace("=\r\n", "").replace("=3D", "=")
}

/// Secrets where they are refused: wrong, malformed, in the wrong place.
async fn mistakes(stack: &Stack, fixture: &RestaurantFixture) {
    let wrong = json!({ "email": fixture.customer.email, "password": WRONG_PASSWORD });
    stack
        .post("/api/v1/users/login", None, &wrong)
        .await
        .problem(401);
    let unknown = json!({ "email": WRONG_PASSWORD, "password": { "is": WRONG_PASSWORD } });
    let answer = stack.post("/api/v1/users/login", None, &unknown).await;
    assert_eq!(answer.status.as_u16(), 422, "{}", answer.text);
    assert!(!answer.text.contains(WRONG_PASSWORD), "{}", answer.text);
    let form = json!({ "email": accounts::address("driver"), "password": PASSWORD });
    stack.post("/api/v1/driver", None, &form).await.problem(422);
    for broken in [
        format!("{{\"cardNumber\": \"{CARD}\", \"cvv\": \"{LONG_CVV}\""),
        format!(
            "{{\"bookingId\": 1, \"cardNumber\": {}, \"cvv\": {LONG_CVV}}}",
            CARD.replace(' ', "")
        ),
    ] {
        let request = stack.request(Method::POST, "/api/payment", Some(&fixture.customer));
        let request = request
            .header("content-type", "application/json")
            .body(broken);
        let answer = send(request).await;
        assert!(answer.status.is_client_error(), "{}", answer.text);
        assert!(!answer.text.contains(LONG_CVV), "{}", answer.text);
    }
    let spoilt = Account {
        token: format!("{}x", fixture.customer.token),
        ..fixture.customer.clone()
    };
    stack
        .get("/api/v1/orders", Some(&spoilt))
        .await
        .problem(401);
}

/// Paid, declined and refused cards.
async fn pay(stack: &Stack, fixture: &RestaurantFixture) {
    for (card, cvv, status) in [
        (CARD, CVV, 201),
        (DECLINED_CARD, CVV, 402),
        (UNKNOWN_CARD, CVV, 422),
        (CARD, LONG_CVV, 422),
    ] {
        let order = fixture.order(stack).await;
        let payment = json!({
            "bookingId": order, "amount": 2501, "paymentType": "Card",
            "cardNumber": card, "expiry": "12/34", "cvv": cvv,
        });
        let mut last = Value::Null;
        eventually("the payment is answered", async || {
            let answer = stack
                .post("/api/payment", Some(&fixture.customer), &payment)
                .await;
            last = answer.body;
            answer.status != 404
        })
        .await;
        let is_paid = last["payment"].is_object();
        assert_eq!(is_paid, status == 201, "{card}: {last}");
    }
}

/// Every place that anything is kept in, and its text.
pub async fn places(stack: &Stack) -> Vec<(String, String)> {
    let mut places = Vec::new();
    for (service, url) in stack.databases() {
        places.extend(tables(&service, &url).await);
    }
    for message in streams::everything(stack).await {
        let place = format!("stream {} ({})", message.stream, message.head);
        places.push((place, format!("{} {}", message.head, message.body)));
    }
    for folder in stack.folders() {
        files(&folder, &mut places);
    }
    places.push(("log of the services".to_owned(), stack.log()));
    places
}

/// The rows of every table of a database.
async fn tables(service: &str, url: &str) -> Vec<(String, String)> {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let names: Vec<String> = sqlx::query_scalar(
        "select format('%I.%I', table_schema, table_name) from information_schema.tables
         where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
    )
    .fetch_all(&mut connection)
    .await
    .unwrap();
    let mut tables = Vec::new();
    for name in names {
        let rows = AssertSqlSafe(format!("select t::text from {name} t"));
        let rows: Vec<String> = sqlx::query_scalar(rows)
            .fetch_all(&mut connection)
            .await
            .unwrap();
        tables.push((format!("database {service}, {name}"), rows.join("\n")));
    }
    tables
}

/// Files below the platform's folder, but for the database's own, whose rows are read instead.
fn files(folder: &Path, places: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.join("PG_VERSION").exists() {
            continue;
        }
        if path.is_dir() {
            files(&path, places);
            continue;
        }
        let kind = match path.extension().and_then(|extension| extension.to_str()) {
            Some("eml") => "mail",
            Some("log") => "log",
            _ => "file",
        };
        // What is gone again was not kept.
        if let Ok(bytes) = fs::read(&path) {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            places.push((format!("{kind} {}", path.display()), text));
        }
    }
}

/// True if digits are a whole number in a text: neither a part of a longer one, nor the fraction of a
/// second.
fn has_word(text: &str, digits: &str) -> bool {
    let inside = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '.' || letter == '-')
    };
    text.match_indices(digits).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + digits.len()..].chars().next();
        !inside(before) && !inside(after)
    })
}
