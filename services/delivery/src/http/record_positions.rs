use axum::extract::State;
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Caller, Json, Problem, Writes,
    refusal::{BadBody, BadField, BadToken, Failure, TooMany, WrongCaller},
    refusals, refused_by,
};
use tiffin_events::Role;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::{
    late_positions::{self, Unrecorded},
    limits,
};

/// The most positions of one call.
const MAX_POSITIONS: usize = 100;

/// Positions that a driver's device kept while it had no connection, in any order.
#[derive(Debug, Deserialize, ToSchema)]
pub struct LatePositions {
    /// At most 100.
    positions: Vec<LatePosition>,
}

/// A kept position. Its time is its id: a device is at one place at a time.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub struct LatePosition {
    /// Degrees north, -90 to 90.
    pub lat: f64,
    /// Degrees east, -180 to 180.
    pub lng: f64,
    /// Radius in metres of the 95 % circle.
    pub accuracy: Option<f64>,
    /// Degrees clockwise from true north, 0 to 360.
    pub heading: Option<f64>,
    /// Metres a second, 0 to 1000.
    pub speed: Option<f64>,
    /// By the device's clock, of the last day.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
}

/// The number of positions with each outcome. None of them need be sent again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct RecordedPositions {
    /// Those that became part of a delivery's history.
    pub recorded: usize,
    /// Those that were recorded before.
    pub repeated: usize,
    /// Those of no delivery: the driver had none under way then, or the place or the time is impossible.
    pub unused: usize,
}

refusals! {
    /// The reason why no position is recorded.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum BadPositions {
        TooMany { most: usize } =
            422, "delivery.too-many-positions", "A call may have {most} positions.", at "positions";
    }
}

refused_by! {
    RecordPositionsRefusals:
        BadBody, BadField, BadToken, WrongCaller::{Role}, TooMany, BadPositions, Failure::{NotReady},
}

/// Records positions that come late, each once however often it is sent. The newest moves the marker; an older one never
/// does.
#[utoipa::path(
    post,
    path = "/api/v1/delivery/positions",
    tag = "delivery",
    request_body = LatePositions,
    responses(
        (status = 200, description = "The broker has every position that is of use.", body = RecordedPositions),
        RecordPositionsRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["delivery"]))),
)]
pub async fn record_positions(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Json(request): Json<LatePositions>,
) -> Result<Json<RecordedPositions>, Problem> {
    caller.require(&[Role::Delivery])?;
    writes.count(&limits::LATE_POSITIONS, &caller).await?;
    if request.positions.len() > MAX_POSITIONS {
        let most = MAX_POSITIONS;
        return Err(BadPositions::TooMany { most }.into());
    }
    let recorded = late_positions::record(&state, caller.id, request.positions).await;
    recorded.map(Json).map_err(|error| match error {
        Unrecorded::Database(error) => error.into(),
        Unrecorded::Broker(error) => {
            tracing::warn!(%error, driver = %caller.id, "late positions can't be recorded; the device sends them again");
            Failure::NotReady.into()
        }
    })
}
