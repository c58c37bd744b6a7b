use axum::extract::State;
use serde::Deserialize;
use tiffin_chassis::{
    Caller, Json, Problem, Query, Scope,
    refusal::{BadField, BadQuery, BadToken, WrongCaller},
    refused_by,
};
use tiffin_events::Role;
use time::Duration;
use utoipa::IntoParams;

use crate::{store::accuracy, view::DeliveryAccuracy};

/// The longest period, in days.
const MAX_DAYS: i64 = 365;
const DEFAULT_DAYS: i64 = 30;

/// The period.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AccuracySearch {
    /// Deliveries of the last days, 1 to 365; 30 by default.
    days: Option<i64>,
}

refused_by! {
    GetAccuracyRefusals:
        BadQuery, BadField, BadToken, WrongCaller::{Role},
}

/// The ranges for arrivals that customers were shown, and how many of them held: those of an owner's restaurants, or
/// all for an administrator.
#[utoipa::path(
    get,
    path = "/api/v1/delivery/accuracy",
    tag = "delivery",
    params(AccuracySearch),
    responses(
        (status = 200, description = "All ranges, and the same by restaurant, hour and lead time.", body = DeliveryAccuracy),
        GetAccuracyRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn get_accuracy(
    State(state): State<crate::State>,
    caller: Caller,
    Query(search): Query<AccuracySearch>,
) -> Result<Json<DeliveryAccuracy>, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    let days = search.days.unwrap_or(DEFAULT_DAYS).clamp(1, MAX_DAYS);
    let since = state.clock.now() - Duration::days(days);
    let mut connection = state.pool.acquire().await?;
    let accuracy = accuracy::read(&mut connection, Scope::of(&caller), since).await?;
    Ok(Json(accuracy))
}
