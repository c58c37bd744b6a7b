//! Calls of Stripe's API. Forms go there, JSON comes back.

use std::{collections::HashMap, fmt, time::Duration};

use reqwest::{Client, Method, StatusCode, header::CONTENT_TYPE};
use serde::{Deserialize, de::DeserializeOwned};
use url::form_urlencoded::Serializer;
use uuid::Uuid;

use super::super::Unanswered;

/// The version of the API whose answers are read here; an account's own version may be another.
const VERSION: &str = "2024-06-20";

/// A client of the API with an account's secret key.
#[derive(Clone)]
pub(super) struct Api {
    http: Client,
    /// Without a slash at its end.
    url: String,
    secret_key: String,
}

/// An answer that Stripe means: done, or refused for good.
#[derive(Debug)]
pub(super) enum Answer<T> {
    Done(T),
    Refused(ApiError),
}

/// The part of a `PaymentIntent` that is read.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Intent {
    pub id: String,
    pub status: String,
    pub amount: i64,
    pub currency: String,
    pub client_secret: Option<String>,
    #[serde(default)]
    metadata: HashMap<String, String>,
    pub last_payment_error: Option<Box<ApiError>>,
}

/// The part of an error that is read. It has nothing of a card.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct ApiError {
    #[serde(default, rename = "type")]
    pub kind: String,
    code: Option<String>,
    decline_code: Option<String>,
    pub payment_intent: Option<Box<Intent>>,
}

/// A list, as far as its first page goes.
#[derive(Debug, Deserialize)]
pub(super) struct List<T> {
    pub data: Vec<T>,
}

#[derive(Deserialize)]
struct ErrorBody {
    error: ApiError,
}

impl Api {
    pub fn new(url: String, secret_key: String, timeout: Duration) -> Self {
        Self {
            http: Client::builder()
                .timeout(timeout)
                .build()
                .unwrap_or_default(),
            url,
            secret_key,
        }
    }

    pub async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<Answer<T>, Unanswered> {
        self.send(Method::GET, path, query, None).await
    }

    pub async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        form: &[(&str, &str)],
        key: Option<&str>,
    ) -> Result<Answer<T>, Unanswered> {
        self.send(Method::POST, path, form, key).await
    }

    async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        fields: &[(&str, &str)],
        key: Option<&str>,
    ) -> Result<Answer<T>, Unanswered> {
        let fields = Serializer::new(String::new()).extend_pairs(fields).finish();
        let mut url = format!("{}/v1/{path}", self.url);
        let request = if method == Method::GET {
            if !fields.is_empty() {
                url = format!("{url}?{fields}");
            }
            self.http.get(url)
        } else {
            let form = "application/x-www-form-urlencoded";
            self.http.post(url).header(CONTENT_TYPE, form).body(fields)
        };
        let request = match key {
            Some(key) => request.header("Idempotency-Key", key),
            None => request,
        };
        let request = request
            .bearer_auth(&self.secret_key)
            .header("Stripe-Version", VERSION);
        // The URL may have a card's token in it.
        let lost = |error: reqwest::Error| Unanswered(error.without_url().to_string());
        let answer = request.send().await.map_err(lost)?;
        let status = answer.status();
        let body = answer.bytes().await.map_err(lost)?;
        let unreadable = || Unanswered(format!("Stripe's answer {status} can't be read"));
        if status.is_success() {
            let body = serde_json::from_slice(&body).map_err(|_| unreadable())?;
            return Ok(Answer::Done(body));
        }
        match status {
            StatusCode::BAD_REQUEST | StatusCode::PAYMENT_REQUIRED | StatusCode::NOT_FOUND => {
                let body: ErrorBody = serde_json::from_slice(&body).map_err(|_| unreadable())?;
                Ok(Answer::Refused(body.error))
            }
            _ => Err(Unanswered(format!("Stripe answers {status}"))),
        }
    }
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Api")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

impl Intent {
    /// The payment that it was made for; `None` if that was not a payment of this platform.
    pub fn payment(&self) -> Option<Uuid> {
        self.metadata.get("payment")?.parse().ok()
    }

    /// The reason why it took nothing.
    pub fn reason(&self) -> String {
        match &self.last_payment_error {
            Some(error) => error.reason(),
            None if self.metadata.contains_key("closed") => super::CLOSED.to_owned(),
            None => super::NOT_CONFIRMED.to_owned(),
        }
    }
}

impl ApiError {
    /// True if the idempotency key was used for another request.
    pub fn is_of_key(&self) -> bool {
        self.kind == "idempotency_error"
    }

    /// Stripe's word for a refusal.
    pub fn reason(&self) -> String {
        let words = [self.decline_code.as_deref(), self.code.as_deref()];
        let mut words = words.into_iter().flatten();
        words.find_map(word).unwrap_or(super::REFUSED).to_owned()
    }
}

/// A word that may be stored: nothing that a customer typed.
pub(super) fn word(text: &str) -> Option<&str> {
    let is_word = (1..=60).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    is_word.then_some(text)
}
