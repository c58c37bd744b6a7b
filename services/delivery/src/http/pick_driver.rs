use axum::extract::State;
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Caller, Json, Path, Problem, Scope, Writes,
    refusal::{BadBody, BadField, BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::{Role, SuggestionId, UserId};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::create_delivery::BadDriver;
use crate::{
    delivery::Refusal,
    limits,
    store::{accounts, driver_deliveries, orders, suggestions},
    suggestion::{NotPicked, Pick, RESERVED, Suggestion},
};

/// A driver for an order.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PickDriver {
    driver_id: Uuid,
    /// The `suggestedAt` of the suggestions that the owner saw; two minutes ago if it is left out.
    #[serde(default, with = "time::serde::rfc3339::option")]
    suggested_at: Option<OffsetDateTime>,
    /// True to pick a driver whom another restaurant has picked since.
    #[serde(default)]
    knowingly: bool,
}

/// The driver who is held for the order until its confirmation arrives, two minutes at most.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PickedDriver {
    message: String,
    driver_id: Uuid,
}

refused_by! {
    PickDriverRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{Role}, TooMany,
        Refusal::{NoOrder, OrderCancelled}, BadDriver::{Unknown}, NotPicked::{Taken},
}

/// Holds a driver for an order, suggested or not, before it is confirmed. Refuses one whom another restaurant picked,
/// or gave an order, since `suggestedAt`, unless `knowingly` is true.
#[utoipa::path(
    post,
    path = "/api/v1/delivery/pick/{id}",
    tag = "delivery",
    params(("id" = String, Path, description = "The order's `_id` or `orderId`.")),
    request_body = PickDriver,
    responses(
        (status = 200, description = "The driver is held for the order.", body = PickedDriver),
        PickDriverRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn pick_driver(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(key): Path<String>,
    Json(request): Json<PickDriver>,
) -> Result<Json<PickedDriver>, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    writes.count(&limits::CHANGES, &caller).await?;
    let driver = UserId(request.driver_id);
    let order = {
        // Not locked: events lock orders after drivers.
        let mut connection = state.pool.acquire().await?;
        orders::find(&mut connection, Scope::of(&caller), &key)
            .await?
            .ok_or(Refusal::NoOrder)?
    };
    order.check_deliverable()?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    if !accounts::is_active_driver(&mut tx, driver).await? {
        return Err(BadDriver::Unknown.into());
    }
    let new = Suggestion::new(SuggestionId(state.clock.new_id()), &order);
    suggestions::insert(&mut tx, &new).await?;
    // Two owners who pick one driver come one after the other: the second sees the first.
    driver_deliveries::lock(&mut tx, driver).await?;
    let at = state.clock.now();
    let since = request.suggested_at.unwrap_or(at - RESERVED);
    let is_taken = suggestions::is_taken(&mut tx, driver, order.owner_id, since, at).await?;
    tiffin_bus::change(
        &mut tx,
        &state.recorder,
        &crate::State::cause(&caller),
        order.id,
        |suggestion: &mut Suggestion| {
            suggestion.pick(Pick { driver, at }, is_taken, request.knowingly)
        },
    )
    .await?;
    tx.commit().await?;
    Ok(Json(PickedDriver {
        message: "The driver is held for the order.".to_owned(),
        driver_id: driver.0,
    }))
}
