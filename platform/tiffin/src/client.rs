//! Calls of services with the session of the signed-in user, for `tiffin events` and `tiffin print`.

pub mod failure;
pub mod proof;
pub mod session;
mod sign_in;
pub mod terminal;

use std::{path::Path, sync::Mutex, time::Duration};

use anyhow::Result;
use clap::Args;
use reqwest::{Method, RequestBuilder, Response, StatusCode, Url, header};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use tiffin_chassis::Env;
use tokio::sync::OnceCell;

use self::{
    failure::{Exit, Failure},
    proof::ProofInput,
    session::Sessions,
};
use crate::run_file::RunFile;

/// The address of `tiffin up` unless another is given.
const DEFAULT_URL: &str = "http://localhost:8080";
/// The longest silence within an answer. A dry run may take a minute.
const READ_TIMEOUT: Duration = Duration::from_secs(90);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The platform and the account.
#[derive(Debug, Args)]
pub struct At {
    /// The platform's address; without it, the platform that runs on this machine.
    #[arg(
        long,
        env = "TIFFIN_URL",
        hide_env_values = true,
        global = true,
        display_order = 901
    )]
    url: Option<String>,
    /// An access token, instead of the session that `sign-in` keeps.
    #[arg(
        long,
        env = "TIFFIN_TOKEN",
        hide_env_values = true,
        global = true,
        display_order = 902
    )]
    token: Option<String>,
}

pub struct Client {
    http: reqwest::Client,
    /// Without a slash at the end.
    pub url: String,
    /// The token of `--token`; no session is used then.
    given_token: Option<String>,
    /// The session's token, once it is known.
    token: Mutex<Option<String>>,
    sessions: Sessions,
    /// The proof for calls that ask for one.
    proof_input: ProofInput,
    /// The web app's configuration, which names the services.
    config: OnceCell<Value>,
}

/// A page of a search.
#[derive(Debug)]
pub struct Page<T> {
    pub rows: Vec<T>,
    /// The cursor of the next page; `None` at the end.
    pub next: Option<String>,
    /// The segments of the archive that are left to read, where the page ended early.
    pub segments_left: Option<u64>,
}

impl Client {
    pub fn new(at: At, env: &Env, sessions: Sessions) -> Result<Self> {
        let url = at
            .url
            .filter(|url| !url.is_empty())
            .unwrap_or_else(|| local_url(env));
        let parsed = Url::parse(&url)
            .ok()
            .filter(|url| ["http", "https"].contains(&url.scheme()));
        if parsed.is_none_or(|url| url.cannot_be_a_base()) {
            return Err(Failure::usage(format!("{url} is no http:// or https:// address.")).into());
        }
        let http = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(READ_TIMEOUT)
            .build()?;
        Ok(Self {
            http,
            url: url.trim_end_matches('/').to_owned(),
            given_token: at.token.filter(|token| !token.is_empty()),
            token: Mutex::default(),
            sessions,
            proof_input: ProofInput::read(env),
            config: OnceCell::new(),
        })
    }

    pub async fn get<T: DeserializeOwned>(
        &self,
        path: &[&str],
        query: &[(&str, String)],
    ) -> Result<T> {
        let request = self.operator(Method::GET, path).await?;
        self.answer(request.query(query)).await
    }

    /// A page of a search.
    pub async fn page<T: DeserializeOwned>(
        &self,
        path: &[&str],
        query: &[(&str, String)],
    ) -> Result<Page<T>> {
        let request = self.operator(Method::GET, path).await?.query(query);
        let answer = self.send(request).await?;
        let header = |name: &str| answer.headers().get(name)?.to_str().ok();
        let next = header("link").and_then(cursor).map(str::to_owned);
        let left = header("tiffin-segments-left").and_then(|left| left.parse().ok());
        Ok(Page {
            rows: read(answer).await?,
            next,
            segments_left: left,
        })
    }

    pub async fn post<T: DeserializeOwned>(
        &self,
        path: &[&str],
        body: &impl Serialize,
    ) -> Result<T> {
        let request = self.operator(Method::POST, path).await?;
        self.answer(request.json(body)).await
    }

    pub async fn delete<T: DeserializeOwned>(&self, path: &[&str], reason: &str) -> Result<T> {
        let request = self.operator(Method::DELETE, path).await?;
        self.answer(request.query(&[("reason", reason)])).await
    }

    /// A builder of a call of the operator service.
    pub async fn operator(&self, method: Method, path: &[&str]) -> Result<RequestBuilder> {
        self.call(method, ("operator", "operator"), path).await
    }

    /// A builder of a call of the order service.
    pub async fn order(&self, method: Method, path: &[&str]) -> Result<RequestBuilder> {
        self.call(method, ("order", "orders"), path).await
    }

    /// A builder of a call of a service with the first word of its paths.
    async fn call(
        &self,
        method: Method,
        (service, word): (&str, &str),
        path: &[&str],
    ) -> Result<RequestBuilder> {
        let mut url = Url::parse(&self.service_url(service).await?)?;
        if let Ok(mut segments) = url.path_segments_mut() {
            segments
                .pop_if_empty()
                .extend(["api", "v1", word])
                .extend(path);
        }
        Ok(self.http.request(method, url))
    }

    /// Sends a request as the signed-in user and reads the answer.
    pub async fn answer<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T> {
        Ok(read(self.send(request).await?).await?)
    }

    /// Sends a request as the signed-in user. Renews the session if its token is too old, and asks for a proof at
    /// the terminal if the platform requires one.
    pub async fn send(&self, request: RequestBuilder) -> Result<Response> {
        let retry = request.try_clone();
        match self.send_once(request).await {
            Err(error) if proof::is_required(&error) => {}
            answer => return answer,
        }
        self.send_proof().await?;
        let Some(retry) = retry else {
            let message = "Confirmed. Run the command again.";
            return Err(Failure::new(Exit::NotAllowed, message).into());
        };
        self.send_once(retry).await
    }

    async fn send_once(&self, request: RequestBuilder) -> Result<Response> {
        let retry = request.try_clone();
        let token = self.token()?;
        let answer = request
            .bearer_auth(&token)
            .send()
            .await
            .map_err(Failure::from)?;
        if answer.status() != StatusCode::UNAUTHORIZED || asks_for_proof(&answer) {
            return Ok(require_success(answer).await?);
        }
        if self.given_token.is_some() {
            let message =
                "The token is not accepted: it may have expired. Give a new one with --token.";
            return Err(Failure::new(Exit::NotAllowed, message).into());
        }
        let token = self.renew(&token).await?;
        let Some(retry) = retry else {
            return Ok(require_success(answer).await?);
        };
        let answer = retry
            .bearer_auth(token)
            .send()
            .await
            .map_err(Failure::from)?;
        Ok(require_success(answer).await?)
    }

    fn token(&self) -> Result<String> {
        let known = self.token.lock().ok().and_then(|token| token.clone());
        if let Some(token) = known {
            return Ok(token);
        }
        if let Some(token) = &self.given_token {
            return Ok(token.clone());
        }
        let session = self
            .sessions
            .find(&self.url)?
            .ok_or_else(|| self.not_signed_in())?;
        Ok(session.token)
    }

    fn not_signed_in(&self) -> Failure {
        let (url, command) = (&self.url, self.sessions.command);
        let message = format!("You are not signed in at {url}. Run: {command} --url {url}");
        Failure::new(Exit::NotAllowed, message)
    }

    async fn user(&self, call: &str) -> Result<RequestBuilder> {
        Ok(self.http.post(self.user_url(call).await?))
    }

    async fn user_url(&self, call: &str) -> Result<String> {
        Ok(format!(
            "{}/api/v1/users/{call}",
            self.service_url("user").await?
        ))
    }

    /// The address of a service, as the web app would find it.
    async fn service_url(&self, service: &str) -> Result<String> {
        let config = self.config.get_or_try_init(|| self.fetch_config()).await?;
        let named = config["services"][service].as_str().unwrap_or_default();
        let home = if named.is_empty() { &self.url } else { named };
        Ok(home.trim_end_matches('/').to_owned())
    }

    /// `Null` where there is no web app.
    async fn fetch_config(&self) -> Result<Value, Failure> {
        let answer = self
            .http
            .get(format!("{}/config.json", self.url))
            .send()
            .await?;
        // A site that is starting has a configuration, and can't answer with it yet.
        let answer = if answer.status().is_server_error() {
            require_success(answer).await?
        } else {
            answer
        };
        Ok(answer.json().await.unwrap_or_default())
    }
}

/// The address of the platform that runs on this machine, from its `run.json`.
fn local_url(env: &Env) -> String {
    let home = env.get("TIFFIN_HOME").unwrap_or(".tiffin");
    RunFile::read(Path::new(home)).map_or_else(|_| DEFAULT_URL.to_owned(), |running| running.url)
}

/// True if an answer asks for a fresh proof, which no renewed token has (RFC 9470).
fn asks_for_proof(answer: &Response) -> bool {
    let challenges = answer.headers().get_all(header::WWW_AUTHENTICATE);
    challenges
        .iter()
        .filter_map(|challenge| challenge.to_str().ok())
        .any(|challenge| challenge.contains(proof::ERROR_CODE))
}

/// The cursor in a link to the next page.
fn cursor(link: &str) -> Option<&str> {
    let (_, cursor) = link.split_once("cursor=")?;
    cursor.split(['&', '>']).next()
}

async fn read<T: DeserializeOwned>(answer: Response) -> Result<T, Failure> {
    Ok(answer.json().await?)
}

/// Turns an answer without success into a failure with the platform's message.
async fn require_success(answer: Response) -> Result<Response, Failure> {
    let status = answer.status();
    if status.is_success() {
        return Ok(answer);
    }
    let exit = Exit::of(status);
    let problem: Value = answer.json().await.unwrap_or_default();
    let text = problem["message"].as_str().map(str::to_owned);
    let message = text.unwrap_or_else(|| format!("The platform answered {status}."));
    Err(Failure {
        matched: problem["matched"].as_u64(),
        wants_proof: problem["reason"] == proof::ERROR_CODE,
        challenge: problem["challenge"].as_str().map(str::to_owned),
        ..Failure::new(exit, message)
    })
}
