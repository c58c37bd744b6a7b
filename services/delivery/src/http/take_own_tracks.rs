use axum::extract::State;
use http::HeaderMap;
use serde::Deserialize;
use serde_json::Value;
use tiffin_chassis::{
    Json, Problem, Raw, Writes, body,
    refusal::{BadBody, BadField, Failure, TooMany},
    refused_by,
};
use utoipa::ToSchema;

use crate::phone::{self, BadPhoneToken, own_tracks};

/// A message of `OwnTracks`. Those of the type `location` have a position; others are taken and dropped.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(
    dead_code,
    reason = "the description of what `phone::own_tracks` reads"
)]
pub struct OwnTracksMessage {
    #[serde(rename = "_type")]
    kind: Option<String>,
    /// Degrees north, -90 to 90.
    lat: Option<f64>,
    /// Degrees east, -180 to 180.
    lon: Option<f64>,
    /// The time of the position by the phone's clock, in seconds since 1970.
    tst: Option<i64>,
    /// Metres.
    acc: Option<f64>,
    /// Degrees clockwise from true north.
    cog: Option<f64>,
    /// Kilometres an hour.
    vel: Option<f64>,
}

refused_by! {
    TakeOwnTracksRefusals:
        BadBody, BadField, BadPhoneToken, TooMany, Failure::{NotReady},
}

/// Takes a message from `OwnTracks` in its HTTP mode. The driver's phone token is the password of HTTP Basic
/// authentication, with any name.
///
/// A position becomes part of the deliveries that the driver had under way then, once however often it is sent; without
/// one it is dropped. A position that is of no use is a success, because the program repeats all else before the
/// next one. The answer is always an empty list: messages for the phone, of which there are none.
#[utoipa::path(
    post,
    path = "/api/v1/delivery/phone/owntracks",
    tag = "delivery",
    request_body(content = Option<OwnTracksMessage>, content_type = "application/json"),
    responses(
        (status = 200, description = "The message need not be sent again.", body = Vec<Value>),
        TakeOwnTracksRefusals,
    ),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn take_own_tracks(
    State(state): State<crate::State>,
    writes: Writes,
    headers: HeaderMap,
    Raw(sent): Raw,
) -> Result<Json<[(); 0]>, Problem> {
    let shown = own_tracks::token(&headers);
    let token = phone::admit(&state, &writes, shown.as_deref()).await?;
    // An empty message is the removal of a friend's.
    let message = if sent.is_empty() {
        Value::Null
    } else {
        body::parse(&sent)?
    };
    let position = own_tracks::position(&message)?;
    phone::receive(&state, &token, position).await?;
    Ok(Json([]))
}
