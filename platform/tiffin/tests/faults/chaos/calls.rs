//! Calls that are made again until the platform has answered them.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tokio::{
    sync::Mutex,
    time::{Instant, sleep, timeout},
};

use crate::accounts::{Account, PASSWORD};

/// The time for which a token is used before its owner signs in again. It is good for 15 minutes.
const TOKEN_LIFE: Duration = Duration::from_mins(8);
/// A call that has no answer by then never gets one.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(20);
/// The pause after the first try. Each later one is twice as long, up to the longest.
pub const FIRST_PAUSE: Duration = Duration::from_millis(250);
pub const MAX_PAUSE: Duration = Duration::from_secs(8);

/// A client of the services.
#[derive(Clone, Debug)]
pub struct ServiceClient {
    client: Client,
    urls: Arc<BTreeMap<&'static str, String>>,
}

/// An account whose token is renewed.
#[derive(Debug)]
pub struct RenewingAccount {
    pub id: String,
    pub email: String,
    token: Mutex<(String, Instant)>,
}

/// A request.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    pub method: Method,
    pub service: &'static str,
    pub path: &'a str,
    pub body: Option<&'a Value>,
    /// The `Idempotency-Key`.
    pub key: Option<&'a str>,
    /// Statuses that mean "not yet".
    pub not_yet: &'a [u16],
}

/// A final answer.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub body: Value,
}

impl RenewingAccount {
    pub fn new(account: &Account) -> Self {
        Self {
            id: account.id.clone(),
            email: account.email.clone(),
            token: Mutex::new((account.token.clone(), Instant::now())),
        }
    }
}

impl ServiceClient {
    pub fn new(urls: BTreeMap<&'static str, String>) -> Self {
        let client = Client::builder().timeout(Duration::from_secs(15)).build();
        Self {
            client: client.unwrap(),
            urls: Arc::new(urls),
        }
    }

    pub fn url(&self, service: &str) -> &str {
        &self.urls[service]
    }

    /// Calls until there is a final answer: 5xx, 408, 429, no answer, a token that is not trusted
    /// and the statuses that mean "not yet" are called again.
    pub async fn call(&self, account: &RenewingAccount, call: Call<'_>) -> Answer {
        let began = Instant::now();
        let mut last = String::new();
        let mut pause = FIRST_PAUSE;
        while began.elapsed() < ANSWER_TIMEOUT {
            let token = self.token(account).await;
            match self.call_once(&token, &call).await {
                Ok(answer) if is_final(answer.status, call.not_yet) => return answer,
                Ok(answer) => {
                    if answer.status == StatusCode::UNAUTHORIZED {
                        self.sign_in(account, &token).await;
                    }
                    last = format!("{}: {}", answer.status, answer.body);
                }
                Err(error) => last = error.to_string(),
            }
            sleep(pause).await;
            pause = (pause * 2).min(MAX_PAUSE);
        }
        panic!("{} {}: {last}", call.method, call.path);
    }

    /// Begins a call, and goes away in the middle of it without asking again.
    pub async fn abandon(&self, account: &RenewingAccount, call: Call<'_>, after: Duration) {
        let token = self.token(account).await;
        let _ = timeout(after, self.call_once(&token, &call)).await;
    }

    /// A token that is not old.
    pub async fn token(&self, account: &RenewingAccount) -> String {
        let (token, since) = account.token.lock().await.clone();
        if since.elapsed() < TOKEN_LIFE {
            return token;
        }
        self.sign_in(account, &token).await;
        account.token.lock().await.0.clone()
    }

    async fn call_once(&self, token: &str, call: &Call<'_>) -> reqwest::Result<Answer> {
        let url = format!("{}{}", self.url(call.service), call.path);
        let mut request = self.client.request(call.method.clone(), url);
        request = request.bearer_auth(token);
        if let Some(key) = call.key {
            request = request.header("Idempotency-Key", key);
        }
        if let Some(body) = call.body {
            request = request.json(body);
        }
        let answer = request.send().await?;
        let status = answer.status();
        let body = answer.json().await?;
        Ok(Answer { status, body })
    }

    /// Signs an account in once, however many ask, if its token is still the one that is too old.
    async fn sign_in(&self, account: &RenewingAccount, old: &str) {
        let mut token = account.token.lock().await;
        if token.0 != old {
            return;
        }
        let url = format!("{}/api/v1/users/login", self.url("user"));
        let body = json!({ "email": account.email, "password": PASSWORD });
        let Ok(answer) = self.client.post(url).json(&body).send().await else {
            return;
        };
        let body: Value = answer.json().await.unwrap_or_default();
        if let Some(new) = body["token"].as_str() {
            *token = (new.to_owned(), Instant::now());
        }
    }
}

fn is_final(status: StatusCode, not_yet: &[u16]) -> bool {
    let again = [401, 408, 429];
    !status.is_server_error()
        && !again.contains(&status.as_u16())
        && !not_yet.contains(&status.as_u16())
}
