use axum::extract;
use base64::{
    Engine,
    alphabet::URL_SAFE,
    engine::{DecodePaddingMode, GeneralPurpose, general_purpose::NO_PAD},
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Caller, Json, Problem, Writes,
    documented::{BadBody, BadToken, TooMany},
    problem::ProblemBody,
};
use utoipa::ToSchema;

use crate::{
    State, limits,
    push::{AUTH_LENGTH, Browser, KEY_LENGTH},
    store::subscriptions,
};

/// The largest number of characters of an endpoint.
const LONGEST: usize = 1000;
/// The encoding of keys. Browsers write them without padding, but padding is accepted.
const KEYS: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    NO_PAD.with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A browser's push subscription, as `PushSubscription.toJSON()` gives it.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct PushSubscription {
    /// The https address at which its push service takes messages.
    endpoint: String,
    keys: PushSubscriptionKeys,
}

#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct PushSubscriptionKeys {
    /// Its public key, base64url.
    p256dh: String,
    /// Its secret, base64url.
    auth: String,
}

/// The endpoint of a browser.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct PushEndpoint {
    endpoint: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PushAnswer {
    message: String,
}

/// The public key that browsers subscribe with.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PushKey {
    /// The `applicationServerKey`, base64url.
    public_key: String,
}

impl PushSubscription {
    fn browser(self, state: &State) -> Result<Browser, Problem> {
        if self.endpoint.len() > LONGEST {
            return Err(Problem::invalid("endpoint", "The endpoint is too long."));
        }
        let endpoint = state.push.accepts(&self.endpoint);
        let endpoint = endpoint.map_err(|why| Problem::invalid("endpoint", why.to_string()))?;
        let bytes = |name, text: &str, length| {
            let bytes = KEYS.decode(text).ok();
            let bytes = bytes.filter(|bytes| bytes.len() == length);
            bytes.ok_or_else(|| Problem::invalid(name, "This is not the key of a browser."))
        };
        Ok(Browser {
            endpoint: endpoint.into(),
            p256dh: bytes("keys.p256dh", &self.keys.p256dh, KEY_LENGTH)?,
            auth: bytes("keys.auth", &self.keys.auth, AUTH_LENGTH)?,
        })
    }
}

/// Returns the key that browsers subscribe with.
#[utoipa::path(
    get, path = "/api/v1/notification/push/key", tag = "notification",
    responses((status = 200, description = "The public key.", body = PushKey)),
    extensions(("x-roles" = json!(["*"])))
)]
pub(crate) async fn show_push_key(
    extract::State(state): extract::State<State>,
) -> Result<Json<PushKey>, Problem> {
    let public_key = state.push_key().await?.public().to_owned();
    Ok(Json(PushKey { public_key }))
}

/// Subscribes a browser: it gets the caller's notifications from now on.
#[utoipa::path(
    post, path = "/api/v1/notification/push", tag = "notification",
    request_body = PushSubscription,
    responses(
        (status = 200, description = "The browser was the caller's already.", body = PushAnswer),
        (status = 201, description = "The browser is the caller's now.", body = PushAnswer),
        BadBody,
        BadToken,
        TooMany,
        (status = 403, description = "The caller's e-mail address is not proven.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "The endpoint or a key is not valid.",
            body = ProblemBody, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn subscribe(
    extract::State(state): extract::State<State>,
    caller: Caller,
    writes: Writes,
    Json(subscription): Json<PushSubscription>,
) -> Result<(StatusCode, Json<PushAnswer>), Problem> {
    let browser = subscription.browser(&state)?;
    writes.count(&limits::SETTINGS, &caller).await?;
    let mut tx = state.pool.begin().await?;
    let is_new = subscriptions::keep(&mut tx, &state.clock, caller.id, &browser).await?;
    tx.commit().await?;
    let (status, message) = if is_new {
        (StatusCode::CREATED, "Browser subscribed")
    } else {
        (StatusCode::OK, "Browser found")
    };
    let message = message.to_owned();
    Ok((status, Json(PushAnswer { message })))
}

/// Unsubscribes a browser of the caller.
#[utoipa::path(
    delete, path = "/api/v1/notification/push", tag = "notification",
    request_body = PushEndpoint,
    responses(
        (status = 200, description = "The browser gets no more messages.", body = PushAnswer),
        BadBody,
        BadToken,
        TooMany,
        (status = 403, description = "The caller's e-mail address is not proven.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "None of the caller's browsers has this endpoint.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "The endpoint is missing.",
            body = ProblemBody, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn unsubscribe(
    extract::State(state): extract::State<State>,
    caller: Caller,
    writes: Writes,
    Json(PushEndpoint { endpoint }): Json<PushEndpoint>,
) -> Result<Json<PushAnswer>, Problem> {
    let unknown = || Problem::not_found("There is no such browser.");
    // The endpoint is stored as the parser writes it, which may differ from the browser's spelling.
    let endpoint = state.push.accepts(&endpoint).map_err(|_| unknown())?;
    writes.count(&limits::SETTINGS, &caller).await?;
    let mut tx = state.pool.begin().await?;
    let found = subscriptions::find(&mut tx, caller.id, endpoint.as_str()).await?;
    subscriptions::remove(&mut tx, &state.clock, found.ok_or_else(unknown)?).await?;
    tx.commit().await?;
    let message = "Browser unsubscribed".to_owned();
    Ok(Json(PushAnswer { message }))
}
