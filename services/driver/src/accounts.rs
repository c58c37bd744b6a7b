//! The client of the user service, which owns the accounts of drivers.

use std::{collections::BTreeMap, net::IpAddr, time::Duration};

use axum::http::{HeaderValue, StatusCode, header};
use reqwest::{Client, RequestBuilder, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tiffin_chassis::{
    Env, Problem, Reason, env::EnvError, refusal::RefusalRow, refusals, telemetry,
};
use tiffin_events::UserId;
use url::Url;

/// The longest wait for an answer of the user service, which hashes a password and may be busy.
const REPLY_TIMEOUT: Duration = Duration::from_secs(10);

/// The refusals of the user service that [`Accounts::open`] passes on. The merged description fails where their
/// sentences differ from the user service's.
pub const SIGN_UP_REFUSALS: &[RefusalRow] = &[
    row(
        422,
        "user.email-invalid",
        "Please enter a valid email address.",
    ),
    row(422, "user.name-required", "Please enter a name."),
    row(422, "user.name-too-long", "A name has at most 100 letters."),
    row(
        422,
        "user.name-invalid",
        "A name is made of letters and spaces.",
    ),
    row(
        422,
        "user.phone-invalid",
        "A phone number has 6 to 15 digits.",
    ),
    row(422, "user.address-required", "Please enter an address."),
    row(
        422,
        "user.address-too-long",
        "An address has at most 300 characters.",
    ),
    row(
        422,
        "user.picture-required",
        "Please upload profile picture",
    ),
    row(
        422,
        "user.picture-invalid",
        "A picture is given by its URL.",
    ),
    row(
        422,
        "user.password-rule",
        "Password must be at least 8 characters long and include at least one uppercase letter and one symbol.",
    ),
    row(
        422,
        "user.password-too-long",
        "A password has at most 128 characters.",
    ),
    row(
        422,
        "user.password-too-common",
        "This password is too common. Please choose another one.",
    ),
    row(409, "user.email-taken", "Email Already Added"),
    row(
        429,
        "user.too-many-sign-ups",
        "Too many accounts were opened from your network. Please try again later.",
    ),
];

/// The refusals of the user service that [`Accounts::update`] passes on.
pub const UPDATE_REFUSALS: &[RefusalRow] = &[
    row(422, "user.name-required", "Please enter a name."),
    row(422, "user.name-too-long", "A name has at most 100 letters."),
    row(
        422,
        "user.name-invalid",
        "A name is made of letters and spaces.",
    ),
    row(
        422,
        "user.phone-invalid",
        "A phone number has 6 to 15 digits.",
    ),
    row(422, "user.address-required", "Please enter an address."),
    row(
        422,
        "user.address-too-long",
        "An address has at most 300 characters.",
    ),
    row(
        422,
        "user.picture-required",
        "Please upload profile picture",
    ),
    row(
        422,
        "user.picture-invalid",
        "A picture is given by its URL.",
    ),
    row(
        403,
        "user.profile-change-not-yours",
        "You may only change your own profile.",
    ),
    row(404, "user.not-found", "There is no such user."),
];

const fn row(status: u16, code: &'static str, sentence: &'static str) -> RefusalRow {
    RefusalRow {
        code,
        status,
        sentence,
    }
}

refusals! {
    /// The user service can't be reached.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum AccountsUnavailable {
        Accounts =
            503, "driver.accounts-away",
            "Accounts can't be reached just now. Please try again in a moment.";
    }
}

/// Calls the user service.
#[derive(Clone, Debug)]
pub struct Accounts {
    http: Client,
    /// Its public side, without a slash at the end.
    base: String,
    /// The side that only services reach, without a slash at the end.
    internal: String,
    key: HeaderValue,
}

/// The data that opens an account. The user service checks it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AccountForm<'a> {
    pub id: UserId,
    /// The network of the person who signs up; the user service counts sign-ups by it.
    pub network: Option<IpAddr>,
    pub email: &'a str,
    pub password: &'a str,
    pub first_name: &'a str,
    pub last_name: &'a str,
    pub address: &'a str,
    pub phone: &'a str,
    pub image: &'a str,
}

/// New values for a profile; what is `None` stays.
#[derive(Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProfileChange {
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub address: Option<String>,
    pub phone: Option<String>,
    pub image: Option<String>,
}

/// An account as the user service answers it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    pub address: String,
    pub phone: String,
    pub image: Option<String>,
}

#[derive(Deserialize)]
struct Answer {
    user: Account,
}

/// The parts of a problem that are passed on to the client.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Refusal {
    code: String,
    #[serde(default)]
    params: Map<String, Value>,
    message: String,
    #[serde(default)]
    fields: BTreeMap<String, String>,
    #[serde(default)]
    field_codes: BTreeMap<String, FieldCode>,
}

/// The code of a field's sentence.
#[derive(Deserialize)]
struct FieldCode {
    code: String,
    #[serde(default)]
    params: Map<String, Value>,
}

impl Refusal {
    fn into_problem(mut self, status: StatusCode, wait: Option<Duration>) -> Problem {
        let fields = self.fields.into_iter().filter_map(|(field, message)| {
            let FieldCode { code, params } = self.field_codes.remove(&field)?;
            Some((field, reason(code, params, message)))
        });
        Problem {
            fields: fields.collect(),
            retry_after: wait,
            ..Problem::relayed(status, reason(self.code, self.params, self.message))
        }
    }
}

fn reason(code: String, params: Map<String, Value>, message: String) -> Reason {
    Reason {
        code: code.into(),
        params,
        message,
    }
}

impl Accounts {
    /// `TIFFIN_USER_URL` (`http://user:7001`), `TIFFIN_USER_INTERNAL_URL` (`http://user:8001`) and
    /// `TIFFIN_SERVICE_KEY`.
    pub fn new(env: &Env) -> Result<Self, EnvError> {
        let base = address(env, "TIFFIN_USER_URL")?;
        let internal = address(env, "TIFFIN_USER_INTERNAL_URL")?;
        let key = format!("Service {}", env.required("TIFFIN_SERVICE_KEY")?);
        let mut key = HeaderValue::from_str(&key).map_err(|error| EnvError::Invalid {
            name: "TIFFIN_SERVICE_KEY",
            reason: error.to_string(),
        })?;
        key.set_sensitive(true);
        // Services reach each other directly, without the proxy that leads out.
        let http = Client::builder()
            .timeout(REPLY_TIMEOUT)
            .no_proxy()
            .build()
            .unwrap_or_default();
        Ok(Self {
            http,
            base,
            internal,
            key,
        })
    }

    /// Opens a driver's account under `form.id`, or finds it there. Refusals of the user service are passed on.
    pub async fn open(&self, form: &AccountForm<'_>) -> Result<Account, Problem> {
        let request = self.http.post(format!("{}/internal/users", self.internal));
        let response = send(
            request
                .header(header::AUTHORIZATION, self.key.clone())
                .json(form),
        )
        .await?;
        if matches!(
            response.status(),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN
        ) {
            tracing::error!("the user service does not take this service's TIFFIN_SERVICE_KEY");
            return Err(unavailable());
        }
        read(response).await
    }

    /// Changes a profile in the name of the owner of `authorization`.
    pub async fn update(
        &self,
        id: UserId,
        authorization: HeaderValue,
        change: &ProfileChange,
    ) -> Result<Account, Problem> {
        let request = self
            .http
            .put(format!("{}/api/v1/users/update/{id}", self.base));
        read(
            send(
                request
                    .header(header::AUTHORIZATION, authorization)
                    .json(change),
            )
            .await?,
        )
        .await
    }
}

/// An address without a slash at its end.
fn address(env: &Env, name: &'static str) -> Result<String, EnvError> {
    let url = env.required(name)?;
    url.parse::<Url>().map_err(|error| EnvError::Invalid {
        name,
        reason: error.to_string(),
    })?;
    Ok(url.trim_end_matches('/').to_owned())
}

async fn send(request: RequestBuilder) -> Result<Response, Problem> {
    let request = match telemetry::traceparent() {
        Some(trace) => request.header("traceparent", trace),
        None => request,
    };
    request.send().await.map_err(|error| {
        tracing::warn!(%error, "the user service does not answer");
        unavailable()
    })
}

async fn read(response: Response) -> Result<Account, Problem> {
    let status = response.status();
    if status.is_success() {
        let answer: Answer = response.json().await.map_err(|error| {
            tracing::error!(%error, "the user service's answer can't be read");
            unavailable()
        })?;
        return Ok(answer.user);
    }
    if status.is_server_error() {
        tracing::warn!(%status, "the user service has failed");
        return Err(unavailable());
    }
    let wait = response
        .headers()
        .get(header::RETRY_AFTER)
        .and_then(|value| value.to_str().ok()?.parse().ok());
    let refusal: Refusal = response.json().await.map_err(|error| {
        tracing::error!(%error, %status, "the user service's refusal can't be read");
        unavailable()
    })?;
    Err(refusal.into_problem(status, wait.map(Duration::from_secs)))
}

/// Nothing is lost: a repeated request continues where this one stopped.
fn unavailable() -> Problem {
    Problem::from(AccountsUnavailable::Accounts).retry_after(Duration::from_secs(2))
}
