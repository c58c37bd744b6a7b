//! Calls to the platform as its accounts, through the address for browsers alone.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, Result, bail};
use reqwest::{Method, StatusCode, header::RETRY_AFTER};
use serde_json::{Value, json};
use tokio::{
    sync::Mutex,
    time::{Instant, sleep},
};

use super::tally::Tally;
use crate::demo;

/// The age at which a token is renewed. It is good for a quarter of an hour.
const TOKEN_LIFE: Duration = Duration::from_mins(10);
/// The longest time that a call is repeated while it can't be answered.
const PATIENCE: Duration = Duration::from_mins(2);
/// The longest pause before a call that came too often is repeated.
const MAX_PAUSE: Duration = Duration::from_mins(2);
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// A client of the running platform.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    url: String,
    pub tally: Arc<Tally>,
}

/// An account that signs in when it first does something.
#[derive(Debug)]
pub struct Account {
    pub email: String,
    session: Mutex<Option<Session>>,
}

#[derive(Clone, Debug)]
struct Session {
    id: String,
    token: String,
    since: Instant,
}

/// A request.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    pub method: Method,
    pub path: &'a str,
    pub body: Option<Value>,
    /// The `Idempotency-Key`.
    pub key: Option<String>,
    /// Statuses that mean "not yet", because services learn of changes by events.
    pub not_yet: &'static [u16],
}

/// The answer of one try.
enum Answered {
    Yes(Value),
    /// The sentence to count, and the pause before the next try.
    Later(String, Option<Duration>),
    NotYet(String),
    No(String),
}

impl Account {
    pub fn new(email: &str) -> Self {
        Self {
            email: email.to_owned(),
            session: Mutex::default(),
        }
    }
}

impl<'a> Call<'a> {
    pub fn new(method: Method, path: &'a str, body: Value) -> Self {
        Self {
            method,
            body: Some(body),
            ..Self::get(path)
        }
    }

    pub const fn get(path: &'a str) -> Self {
        Self {
            method: Method::GET,
            path,
            body: None,
            key: None,
            not_yet: &[],
        }
    }
}

impl Client {
    pub fn new(url: &str) -> Result<Self> {
        let http = reqwest::Client::builder().timeout(ANSWER_TIMEOUT).build()?;
        Ok(Self {
            http,
            url: url.trim_end_matches('/').to_owned(),
            tally: Arc::default(),
        })
    }

    /// The address of the live bridge.
    pub fn live_url(&self) -> String {
        format!("{}/live", self.url.replacen("http", "ws", 1))
    }

    /// Calls until there is a final answer. A refusal is counted and is an error. A try without an answer or above a limit
    /// is counted, and the call is repeated.
    pub async fn call(&self, account: &Account, call: Call<'_>) -> Result<Value> {
        let began = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            let (said, wait) = match self.try_call(account, &call).await {
                Answered::Yes(answer) => return Ok(answer),
                Answered::No(said) => {
                    self.tally.refused(said.clone());
                    bail!(said);
                }
                Answered::Later(said, wait) => {
                    self.tally.refused(said.clone());
                    (said, wait)
                }
                Answered::NotYet(said) => (said, None),
            };
            if began.elapsed() > PATIENCE {
                self.tally.refused(format!("given up: {said}"));
                bail!(said);
            }
            sleep(wait.unwrap_or(pause).min(MAX_PAUSE)).await;
            pause = (pause * 2).min(Duration::from_secs(2));
        }
    }

    async fn try_call(&self, account: &Account, call: &Call<'_>) -> Answered {
        let token = match self.session(account).await {
            Ok(session) => session.token,
            Err(error) => return Answered::Later(format!("{error:#}"), None),
        };
        let url = format!("{}{}", self.url, call.path);
        let mut request = self
            .http
            .request(call.method.clone(), url)
            .bearer_auth(&token);
        if let Some(key) = &call.key {
            request = request.header("Idempotency-Key", key);
        }
        if let Some(body) = &call.body {
            request = request.json(body);
        }
        let what = format!("{} {}", call.method, pattern(call.path));
        let answer = match request.send().await {
            Ok(answer) => answer,
            Err(error) => return Answered::Later(format!("{what}: no answer, {error}"), None),
        };
        let status = answer.status();
        let wait = answer
            .headers()
            .get(RETRY_AFTER)
            .and_then(|it| it.to_str().ok()?.parse().ok());
        let body: Value = answer.json().await.unwrap_or_default();
        let said = format!(
            "{what}: {} {}",
            status.as_u16(),
            body["code"].as_str().unwrap_or("?")
        );
        match status {
            status if status.is_success() => Answered::Yes(body),
            StatusCode::UNAUTHORIZED => {
                self.forget(account, &token).await;
                Answered::Later(said, None)
            }
            StatusCode::TOO_MANY_REQUESTS => Answered::Later(said, wait.map(Duration::from_secs)),
            status if status.is_server_error() => Answered::Later(said, None),
            status if call.not_yet.contains(&status.as_u16()) => Answered::NotYet(said),
            _ => Answered::No(said),
        }
    }

    pub async fn token(&self, account: &Account) -> Result<String> {
        Ok(self.session(account).await?.token)
    }

    /// The account's id.
    pub async fn id(&self, account: &Account) -> Result<String> {
        Ok(self.session(account).await?.id)
    }

    /// The account's session; a new one where there is none or its token is old.
    async fn session(&self, account: &Account) -> Result<Session> {
        let mut session = account.session.lock().await;
        if let Some(session) = session
            .as_ref()
            .filter(|it| it.since.elapsed() < TOKEN_LIFE)
        {
            return Ok(session.clone());
        }
        let url = format!("{}/api/v1/users/login", self.url);
        let body = json!({ "email": account.email, "password": demo::PASSWORD });
        let answer = self.http.post(url).json(&body).send().await?;
        let status = answer.status();
        let body: Value = answer.json().await.unwrap_or_default();
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let new = text(&body["token"]).zip(text(&body["user"]["_id"]));
        let (token, id) = new.with_context(|| {
            format!(
                "{} can't sign in with the demo's password: {status} {}",
                account.email, body["message"]
            )
        })?;
        let new = Session {
            id,
            token,
            since: Instant::now(),
        };
        *session = Some(new.clone());
        Ok(new)
    }

    /// Forgets a token that is not trusted, unless there is another by now.
    async fn forget(&self, account: &Account, token: &str) {
        let mut session = account.session.lock().await;
        if session.as_ref().is_some_and(|it| it.token == token) {
            *session = None;
        }
    }
}

/// The path without ids and query, so that refusals of one kind are counted together.
fn pattern(path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    let is_id = |part: &str| part.len() > 11 && part.contains(|it: char| it.is_ascii_digit());
    let parts = path
        .split('/')
        .map(|part| if is_id(part) { "…" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_counted_by_operation() {
        assert_eq!(
            pattern("/api/v1/orders/status/0193-4f5a-77b1?x=1"),
            "/api/v1/orders/status/…"
        );
        assert_eq!(pattern("/api/v1/payment"), "/api/v1/payment");
        assert_eq!(
            pattern("/api/v1/delivery/update/ORD-7K3M9QX2"),
            "/api/v1/delivery/update/…"
        );
    }
}
