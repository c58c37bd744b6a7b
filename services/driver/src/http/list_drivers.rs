use axum::{extract::State, response::Response};
use tiffin_chassis::{Caller, Page, Problem, Query, documented::BadToken, problem::ProblemBody};
use tiffin_events::Role;

use crate::{store::drivers, view::DriverView};

const LIST: &str = "/api/v1/driver";

/// All drivers, newest first; a driver's own row for a driver. Identity numbers are for the driver
/// and administrators alone.
#[utoipa::path(
    get,
    path = "/api/v1/driver",
    tag = "driver",
    params(Page),
    responses(
        (status = 200, description = "The drivers; `Link` leads to the next page.", body = Vec<DriverView>),
        BadToken,
        (
            status = 403,
            description = "The caller is a customer.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
        (
            status = 422,
            description = "The page is not valid.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "delivery", "admin"]))),
)]
pub async fn list_drivers(
    State(state): State<crate::State>,
    caller: Caller,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    caller.require(&[Role::Restaurant, Role::Delivery, Role::Admin])?;
    let only = (caller.role == Role::Delivery).then_some(caller.id);
    let with_nic = caller.role != Role::Restaurant;
    let mut connection = state.pool.acquire().await?;
    let drivers = drivers::list(&mut connection, page, only, with_nic).await?;
    Ok(page.answer(LIST, drivers, |driver| driver.id))
}
