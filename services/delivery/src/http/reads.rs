use axum::{extract::State, response::Response};
use tiffin_chassis::{Caller, Json, Page, Path, Problem, ProblemBody, Query, documented::BadToken};

use crate::{
    error::Error,
    scope::Scope,
    store::{
        deliveries,
        rows::{self, Filter},
    },
    view::{DeliveryLocation, DeliveryView},
};

const LIST: &str = "/api/v1/delivery";

/// The caller's deliveries, newest first: a customer's or a driver's own, those of an owner's
/// restaurants, all for an administrator.
#[utoipa::path(
    get,
    path = "/api/v1/delivery",
    tag = "delivery",
    params(Page),
    responses(
        (status = 200, description = "The deliveries; `Link` leads to the next page.", body = Vec<DeliveryView>),
        BadToken,
        (
            status = 422,
            description = "The page is not valid.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin"]))),
)]
pub async fn list_deliveries(
    State(state): State<crate::State>,
    caller: Caller,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let filter = Filter {
        scope: Scope::of(&caller),
        id: None,
        before: page.cursor,
        limit: page.sql_limit(),
    };
    let mut connection = state.pool.acquire().await?;
    let deliveries = rows::read(&mut connection, filter).await?;
    Ok(page.answer(LIST, deliveries, |delivery| delivery.id))
}

/// Where the driver of a delivery was last, for the people whose delivery it is.
#[utoipa::path(
    get,
    path = "/api/v1/delivery/loc/{id}",
    tag = "delivery",
    params(("id" = String, Path, description = "The delivery's `_id`, or its order's `_id` or `orderId`.")),
    responses(
        (status = 200, description = "Where the driver was; 0,0 when unknown.", body = DeliveryLocation),
        BadToken,
        (
            status = 404,
            description = "There is no such delivery of the caller's.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin"]))),
)]
pub async fn get_delivery_location(
    State(state): State<crate::State>,
    caller: Caller,
    Path(key): Path<String>,
) -> Result<Json<DeliveryLocation>, Problem> {
    let mut connection = state.pool.acquire().await?;
    let id = deliveries::find(&mut connection, Scope::of(&caller), &key)
        .await?
        .ok_or(Error::NotFound)?;
    Ok(Json(rows::location(&mut connection, id).await?))
}
