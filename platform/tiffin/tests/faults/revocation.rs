//! Tokens that ended: they end everywhere although the accounts' stream is full, and where nothing can
//! be heard old tokens are not trusted.

use std::time::Duration;

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tiffin_bus::Broker;

use crate::{
    accounts::{Account, admin, registered},
    stack::{Stack, eventually},
};

const SERVICES: [&str; 2] = ["user", "order"];

/// Asks the order service for the orders, and for a new one.
async fn asked(stack: &Stack, token: &str) -> [StatusCode; 2] {
    let mut said = [StatusCode::OK; 2];
    for (said, method) in said.iter_mut().zip([Method::GET, Method::POST]) {
        let url = format!("{}/api/v1/orders", stack.url("order"));
        let call = Client::new().request(method, url).bearer_auth(token);
        *said = call.json(&json!({})).send().await.unwrap().status();
    }
    said
}

async fn text(url: String) -> String {
    let answer = Client::new().get(url).send().await.unwrap();
    answer.text().await.unwrap()
}

/// The order service's `/readyz`, and the metric of its other listener.
async fn reported(stack: &Stack) -> (Value, String) {
    let ready = text(format!("{}/readyz", stack.url("order"))).await;
    let metrics = text(format!("{}/metrics", stack.inner_url("order"))).await;
    let metric = metrics
        .lines()
        .find(|line| line.starts_with("tiffin_revocations_silent"))
        .unwrap_or_default()
        .to_owned();
    (serde_json::from_str(&ready).unwrap(), metric)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_block_reaches_others_past_a_full_stream_and_in_silence_only_young_tokens_count() {
    let mut stack = Stack::of(&SERVICES).await;
    let admin = admin(&stack).await;
    let honest = registered(&stack, "honest@example.com", "customer").await;
    let blocked = registered(&stack, "blocked@example.com", "customer").await;
    fill(&stack, "USERS").await;

    // The stream of accounts takes nothing more.
    let place = format!("/api/v1/users/block/{}", blocked.email);
    assert_eq!(asked(&stack, &blocked.token).await[0], 200);
    stack
        .put("user", &place, &admin, &json!({ "isBlocked": true }))
        .await
        .unwrap();
    eventually("the block reaches the order service", async || {
        asked(&stack, &blocked.token).await == [401, 401].map(code_of)
    })
    .await;
    assert!(
        waits(&stack).await,
        "the event of the block is in the stream"
    );
    assert_eq!(asked(&stack, &honest.token).await[0], 200);

    // Nothing is heard any more: the old token is refused, a new one is served, no service goes down.
    stack.servers.nats.kill();
    eventually("the old token is not trusted", async || {
        asked(&stack, &honest.token).await == [401, 401].map(code_of)
    })
    .await;
    let young = signed_in(&stack, &honest).await;
    let said = asked(&stack, &young).await;
    assert_eq!(said[0], 200);
    assert!(said[1].is_client_error() && said[1] != 401, "{}", said[1]);
    let body = json!({ "email": blocked.email, "password": crate::accounts::PASSWORD });
    let refused = stack.post("user", "/api/v1/users/login", None, &body).await;
    assert!(
        refused.unwrap_err().starts_with("403"),
        "the user service asks its own database"
    );
    let (ready, metric) = reported(&stack).await;
    let sentence = ready["checks"]["revocations"].as_str().unwrap();
    assert!(sentence.starts_with("not heard of for "), "{ready}");
    assert_eq!(metric, "tiffin_revocations_silent 1");
    assert!(stack.log("order").contains("revocations are not heard"));

    stack.servers.nats.start_again().await.unwrap();
    eventually("old tokens are trusted again", async || {
        asked(&stack, &honest.token).await[0] == 200
    })
    .await;
    assert_eq!(asked(&stack, &blocked.token).await[0], 401);
    assert_eq!(reported(&stack).await.0["checks"]["revocations"], "ok");
    stack.stop().await;
}

fn code_of(code: u16) -> StatusCode {
    StatusCode::from_u16(code).unwrap()
}

/// Lowers a stream's limit to what it holds, as filling it would.
async fn fill(stack: &Stack, name: &str) {
    let broker = Broker::connect(&stack.servers.nats.url(), "test")
        .await
        .unwrap();
    let mut stream = broker.jetstream.get_stream(name).await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let info = stream.info().await.unwrap();
    let mut config = info.config.clone();
    config.max_bytes = i64::try_from(info.state.bytes).unwrap();
    broker.jetstream.update_stream(config).await.unwrap();
}

/// True if an event of an account waits in the outbox.
async fn waits(stack: &Stack) -> bool {
    use sqlx::Connection;
    let url = stack.database_url("user");
    let mut connection = sqlx::PgConnection::connect(&url).await.unwrap();
    let sql = "select exists (select from bus.outbox
               where published_at is null and subject like 'tiffin.user.%.blocked')";
    sqlx::query_scalar(sql)
        .fetch_one(&mut connection)
        .await
        .unwrap()
}

async fn signed_in(stack: &Stack, account: &Account) -> String {
    let body = json!({ "email": account.email, "password": crate::accounts::PASSWORD });
    let answer = stack.post("user", "/api/v1/users/login", None, &body).await;
    answer.unwrap()["token"].as_str().unwrap().to_owned()
}
