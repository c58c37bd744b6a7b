use axum::extract::State;
use serde::Deserialize;
use sqlx::PgConnection;
use tiffin_bus::fault;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Scope, Writes,
    refusal::{BadBody, BadField, BadPath, BadToken, TooMany, WrongCaller},
    refusals, refused_by,
};
use tiffin_events::{Role, UserId, order::OrderStatus};
use utoipa::ToSchema;
use uuid::Uuid;

use super::OrderAnswer;
use crate::{
    NAME, limits,
    order::{AssignedDriver, Refusal},
    store::{
        accounts::{self, DriverState},
        order_list, orders,
    },
    ticket::{self, Extent, Step},
};

/// The next status of an order.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetStatus {
    /// Any of the five but `cancelled`.
    status: OrderStatus,
    /// The driver. Needed to confirm an order that has no driver yet; ignored otherwise.
    driver_id: Option<Uuid>,
}

refusals! {
    /// A driver who can't be given an order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BadDriver {
        Blocked = 422, "order.driver-blocked", "This driver is blocked.", at "driverId";
        Unknown = 422, "order.driver-unknown", "There is no such driver.", at "driverId";
    }
}

refused_by! {
    SetOrderStatusRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{Role}, TooMany,
        Refusal::{NotFound, Cancelled, CancelInstead, NoDriver}, BadDriver,
}

/// Moves one order to a status; `PUT /api/v1/orders/ticket/{orderId}` moves its ticket. Confirming it gives it to a
/// driver, and the delivery follows. One driver brings a ticket: its other orders that are confirmed or prepared go to
/// the same driver, and all else about them stays. Where the restaurant has a printer, its ticket is printed once.
#[utoipa::path(
    put,
    path = "/api/v1/orders/status/{orderId}",
    tag = "order",
    params(("orderId" = String, Path, description = "The order's `_id` or `orderId`.")),
    request_body = SetStatus,
    responses(
        (status = 200, description = "The order as it is now.", body = OrderAnswer),
        SetOrderStatusRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn set_order_status(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(key): Path<String>,
    Json(request): Json<SetStatus>,
) -> Result<Json<OrderAnswer>, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let id = orders::find(&mut tx, Scope::of(&caller), &key)
        .await?
        .ok_or(Refusal::NotFound)?;
    let step = step(&mut tx, request.status, request.driver_id).await?;
    let cause = crate::State::cause(&caller);
    ticket::step(&mut tx, &state.recorder, &cause, id, Extent::Order, step).await?;
    let order = order_list::find(&mut tx, id).await?;
    fault::point(NAME, "before_status_commit").await;
    tx.commit().await?;
    fault::point(NAME, "after_status_commit").await;
    Ok(Json(OrderAnswer {
        message: format!("Order status updated to {}", request.status.as_str()),
        order,
    }))
}

/// The step to a status. The driver to confirm with must exist and not be blocked.
pub(super) async fn step(
    tx: &mut PgConnection,
    to: OrderStatus,
    driver_id: Option<Uuid>,
) -> Result<Step, Problem> {
    let driver_id = driver_id.map(UserId);
    let Some(id) = driver_id.filter(|_| to == OrderStatus::Confirmed) else {
        return Ok(Step { to, driver: None });
    };
    match accounts::driver_state(tx, id).await? {
        DriverState::Active(vehicle) => {
            let driver = Some(AssignedDriver { id, vehicle });
            Ok(Step { to, driver })
        }
        DriverState::Blocked => Err(BadDriver::Blocked.into()),
        DriverState::Unknown => Err(BadDriver::Unknown.into()),
    }
}
