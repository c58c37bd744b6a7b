use axum::{
    extract::{RawQuery, State},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, header};
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Json, Problem, Raw, Writes, body,
    refusal::{BadBody, BadField, Failure, TooMany},
    refused_by,
};
use utoipa::{IntoParams, ToSchema};

use crate::phone::{self, BadPhoneToken, PhoneOutcome, traccar::Request};

/// A position as Traccar Client sends it since its version 9. It has more members, which are of no use here.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "the description of what `phone::traccar` reads")]
pub struct TraccarPosition {
    /// The driver's phone token.
    device_id: Option<String>,
    location: Option<TraccarLocation>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "the description of what `phone::traccar` reads")]
pub struct TraccarLocation {
    /// By the phone's clock: `2026-11-21T09:00:00.000Z`.
    timestamp: Option<String>,
    coords: Option<TraccarCoords>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "the description of what `phone::traccar` reads")]
pub struct TraccarCoords {
    /// Degrees north, -90 to 90.
    latitude: Option<f64>,
    /// Degrees east, -180 to 180.
    longitude: Option<f64>,
    /// Metres.
    accuracy: Option<f64>,
    /// Metres a second; negative where it is unknown.
    speed: Option<f64>,
    /// Degrees clockwise from true north; negative where it is unknown.
    heading: Option<f64>,
}

/// The parameters of Traccar Client before its version 9, in a query or a form.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the description of what `phone::traccar` reads")]
pub struct TraccarParameters {
    /// The driver's phone token; `deviceid` is the same.
    id: Option<String>,
    /// Seconds or milliseconds since 1970, or a time such as `2026-11-21T09:00:00Z`; now without one.
    timestamp: Option<String>,
    /// Degrees north, -90 to 90.
    lat: Option<String>,
    /// Degrees east, -180 to 180.
    lon: Option<String>,
    /// Knots.
    speed: Option<String>,
    /// Degrees clockwise from true north.
    bearing: Option<String>,
    /// Metres.
    accuracy: Option<String>,
    /// `false` or `0` where the program knows no position.
    valid: Option<String>,
}

/// The effect of a phone's position. Traccar Client goes by the status alone.
#[derive(Debug, Serialize, ToSchema)]
pub struct PhoneAnswer {
    /// Null where none was sent.
    outcome: Option<PhoneOutcome>,
}

refused_by! {
    TakeTraccarRefusals:
        BadBody, BadField, BadPhoneToken, TooMany, Failure::{NotReady},
}

/// Takes a position from Traccar Client, whose device identifier is the driver's phone token.
///
/// It becomes part of the deliveries that the driver had under way then, once however often it is sent; without one it
/// is dropped. A position that is of no use is a success, because the program repeats all else before the next one.
#[utoipa::path(
    post,
    path = "/api/v1/delivery/phone/traccar",
    tag = "delivery",
    params(TraccarParameters),
    request_body(content = Option<TraccarPosition>, content_type = "application/json"),
    responses(
        (status = 200, description = "The position need not be sent again.", body = PhoneAnswer),
        TakeTraccarRefusals,
    ),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn take_traccar(
    State(state): State<crate::State>,
    writes: Writes,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    Raw(sent): Raw,
) -> Result<Response, Problem> {
    let query = query.unwrap_or_default();
    let request = if is(&headers, "application/json") {
        Request::Json(body::parse(&sent)?)
    } else if query.is_empty() {
        Request::from_parameters(&sent)
    } else {
        Request::from_parameters(query.as_bytes())
    };
    take(&state, &writes, request).await
}

/// Takes a position from the query, as [`take_traccar`] does.
#[utoipa::path(
    get,
    path = "/api/v1/delivery/phone/traccar",
    tag = "delivery",
    params(TraccarParameters),
    responses(
        (status = 200, description = "The position need not be sent again.", body = PhoneAnswer),
        TakeTraccarRefusals,
    ),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn take_traccar_query(
    State(state): State<crate::State>,
    writes: Writes,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let request = Request::from_parameters(query.unwrap_or_default().as_bytes());
    take(&state, &writes, request).await
}

async fn take(
    state: &crate::State,
    writes: &Writes,
    request: Request,
) -> Result<Response, Problem> {
    let token = phone::admit(state, writes, request.token()).await?;
    let position = request.position(state.clock.now())?;
    let outcome = phone::receive(state, &token, position).await?;
    // The address may carry the token.
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    Ok((no_store, Json(PhoneAnswer { outcome })).into_response())
}

fn is(headers: &HeaderMap, media_type: &str) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case(media_type)
}
