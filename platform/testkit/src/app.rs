//! A service's routes on a free port, and calls to them that read like the routes.

use std::{future::IntoFuture, sync::Arc};

use axum::Router;
use futures_util::future::BoxFuture;
use http::{HeaderMap, StatusCode};
use reqwest::{Client, Method, RequestBuilder};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::described::Described;

/// A running application. It stops when this is dropped.
#[derive(Debug)]
pub struct TestApp {
    /// Without a slash at its end.
    pub url: String,
    client: Client,
    described: Arc<Described>,
    _shutdown: DropGuard,
}

impl TestApp {
    /// Serves `routes` as the platform does: hardened, by the chassis's server.
    pub async fn start(routes: Router) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0))
            .await
            .expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("its address"));
        let shutdown = CancellationToken::new();
        let app = tiffin_chassis::server::harden("test", routes);
        tokio::spawn(tiffin_chassis::server::serve(
            listener,
            app,
            shutdown.clone(),
        ));
        Self {
            url,
            client: Client::new(),
            described: Arc::default(),
            _shutdown: shutdown.drop_guard(),
        }
    }

    /// The same, where each refusal has to be one that `description` lists for its operation.
    pub async fn described(routes: Router, description: &impl Serialize) -> Self {
        let description = serde_json::to_value(description).expect("a description");
        Self {
            described: Arc::new(Described::new(&description)),
            ..Self::start(routes).await
        }
    }

    /// The address of its live socket.
    pub fn live_url(&self) -> String {
        format!("{}/live", self.url.replacen("http", "ws", 1))
    }

    pub fn get(&self, path: &str) -> Call {
        self.call(Method::GET, path)
    }

    pub fn post(&self, path: &str) -> Call {
        self.call(Method::POST, path)
    }

    pub fn put(&self, path: &str) -> Call {
        self.call(Method::PUT, path)
    }

    pub fn delete(&self, path: &str) -> Call {
        self.call(Method::DELETE, path)
    }

    fn call(&self, method: Method, path: &str) -> Call {
        Call {
            request: self.client.request(method, format!("{}{path}", self.url)),
            described: Arc::clone(&self.described),
        }
    }
}

/// A request in the making; awaiting it sends it.
#[derive(Debug)]
#[must_use]
pub struct Call {
    request: RequestBuilder,
    described: Arc<Described>,
}

impl Call {
    pub fn token(self, token: &str) -> Self {
        self.with(|request| request.bearer_auth(token))
    }

    pub fn header(self, name: &str, value: &str) -> Self {
        self.with(|request| request.header(name, value))
    }

    pub fn json(self, body: &impl Serialize) -> Self {
        self.with(|request| request.json(body))
    }

    /// Any body that claims to be JSON.
    pub fn raw(self, body: impl Into<String>) -> Self {
        self.with(|request| {
            request
                .header("content-type", "application/json")
                .body(body.into())
        })
    }

    fn with(self, change: impl FnOnce(RequestBuilder) -> RequestBuilder) -> Self {
        Self {
            request: change(self.request),
            ..self
        }
    }
}

impl IntoFuture for Call {
    type Output = Answer;
    type IntoFuture = BoxFuture<'static, Answer>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let (client, request) = self.request.build_split();
            let request = request.expect("a request");
            let (method, path) = (request.method().clone(), request.url().path().to_owned());
            let response = client.execute(request).await.expect("an answer");
            let (status, headers) = (response.status(), response.headers().clone());
            let text = response.text().await.expect("a body of text");
            let body = serde_json::from_str(&text).unwrap_or(Value::Null);
            self.described.check(&method, &path, &body);
            Answer {
                status,
                headers,
                body,
                text,
            }
        })
    }
}

/// An answer. `body` is null if it was no JSON.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
    pub text: String,
}

impl Answer {
    /// The body, if the status is the one expected.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        self.body
    }

    /// The body as a type, if the status is the one expected.
    #[track_caller]
    pub fn expect_as<T: DeserializeOwned>(self, status: u16) -> T {
        let text = self.text.clone();
        serde_json::from_value(self.expect(status)).expect(&text)
    }

    /// The problem's text, if the status is the one expected and the body is a whole problem.
    #[track_caller]
    pub fn problem(self, status: u16) -> String {
        let media = self.header("content-type").unwrap_or_default();
        assert!(
            media.starts_with("application/problem+json"),
            "{media}: {}",
            self.text
        );
        let body = self.expect(status);
        assert_eq!(body["status"], status);
        assert_eq!(body["message"], body["error"]);
        body["message"].as_str().unwrap_or_default().to_owned()
    }

    pub fn header(&self, name: &str) -> Option<String> {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned)
    }
}
