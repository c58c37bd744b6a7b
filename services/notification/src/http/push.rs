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
    refusal::{BadBody, BadField, BadToken, TooMany},
    refusals, refused_by,
};
use utoipa::ToSchema;

use crate::{
    State, limits,
    push::{AUTH_LENGTH, BadEndpoint, Browser, KEY_LENGTH},
    store::subscriptions,
};

/// The largest number of characters of an endpoint.
const MAX_ENDPOINT_LENGTH: usize = 1000;
/// The encoding of keys. Browsers write them without padding, but padding is accepted.
const KEY_ENCODING: GeneralPurpose = GeneralPurpose::new(
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

impl PushSubscription {
    fn browser(self, state: &State) -> Result<Browser, Problem> {
        if self.endpoint.len() > MAX_ENDPOINT_LENGTH {
            return Err(BadBrowser::EndpointTooLong.into());
        }
        let endpoint = state.push.accepts(&self.endpoint)?;
        let bytes = |name, text: &str, length| {
            let bytes = KEY_ENCODING.decode(text).ok();
            let bytes = bytes.filter(|bytes| bytes.len() == length);
            bytes.ok_or_else(|| Problem::from(BadBrowser::Key).at(name))
        };
        Ok(Browser {
            endpoint: endpoint.into(),
            p256dh: bytes("keys.p256dh", &self.keys.p256dh, KEY_LENGTH)?,
            auth: bytes("keys.auth", &self.keys.auth, AUTH_LENGTH)?,
        })
    }
}

refusals! {
    /// A browser that can't be subscribed, or is not.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum BadBrowser {
        EndpointTooLong =
            422, "notification.endpoint-too-long", "The endpoint is too long.", at "endpoint";
        Key = 422, "notification.browser-key-invalid", "This is not the key of a browser.";
        Unknown = 404, "notification.browser-not-found", "There is no such browser.";
    }
}

refused_by! {
    SubscribeRefusals:
        BadBody, BadField, BadToken, TooMany, BadBrowser::{EndpointTooLong, Key}, BadEndpoint,
}

/// Subscribes a browser: it gets the caller's notifications from now on.
#[utoipa::path(
    post, path = "/api/v1/notification/push", tag = "notification",
    request_body = PushSubscription,
    responses(
        (status = 200, description = "The browser was the caller's already.", body = PushAnswer),
        (status = 201, description = "The browser is the caller's now.", body = PushAnswer),
        SubscribeRefusals,
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
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let is_new = subscriptions::save(&mut tx, &state.recorder, caller.id, &browser).await?;
    tx.commit().await?;
    let (status, message) = if is_new {
        (StatusCode::CREATED, "Browser subscribed")
    } else {
        (StatusCode::OK, "Browser found")
    };
    let message = message.to_owned();
    Ok((status, Json(PushAnswer { message })))
}

refused_by! {
    UnsubscribeRefusals:
        BadBody, BadField, BadToken, TooMany, BadBrowser::{Unknown},
}

/// Unsubscribes a browser of the caller.
#[utoipa::path(
    delete, path = "/api/v1/notification/push", tag = "notification",
    request_body = PushEndpoint,
    responses(
        (status = 200, description = "The browser gets no more messages.", body = PushAnswer),
        UnsubscribeRefusals,
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
    // The endpoint is stored as the parser writes it, which may differ from the browser's spelling.
    let endpoint = state
        .push
        .accepts(&endpoint)
        .map_err(|_| BadBrowser::Unknown)?;
    writes.count(&limits::SETTINGS, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let found = subscriptions::find(&mut tx, caller.id, endpoint.as_str()).await?;
    subscriptions::remove(&mut tx, &state.recorder, found.ok_or(BadBrowser::Unknown)?).await?;
    tx.commit().await?;
    let message = "Browser unsubscribed".to_owned();
    Ok(Json(PushAnswer { message }))
}
