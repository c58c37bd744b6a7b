use axum::{extract::State, response::Response};
use tiffin_chassis::{Caller, Page, Problem, Query, documented::BadToken, problem::ProblemBody};

use crate::{
    scope::Scope,
    store::rows::{self, Filter},
    view::OrderView,
};

const LIST: &str = "/api/v1/orders";

/// The caller's orders, newest first: a customer's own, those of an owner's restaurants, those a
/// driver brings, all for an administrator.
#[utoipa::path(
    get,
    path = "/api/v1/orders",
    tag = "order",
    params(Page),
    responses(
        (status = 200, description = "The orders; `Link` leads to the next page.", body = Vec<OrderView>),
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
pub async fn list_orders(
    State(state): State<crate::State>,
    caller: Caller,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let filter = Filter {
        before: page.cursor,
        limit: page.sql_limit(),
        ..Filter::all(Scope::of(&caller))
    };
    let mut connection = state.pool.acquire().await?;
    let orders = rows::read(&mut connection, filter).await?;
    Ok(page.answer(LIST, orders, |order| order.id))
}
