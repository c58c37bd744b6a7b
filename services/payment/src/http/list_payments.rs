use axum::{extract::State, response::Response};
use tiffin_chassis::{Caller, Page, Problem, Query, documented::BadToken, problem::ProblemBody};
use tiffin_events::Role;

use super::view::PaymentView;
use crate::store::payments::{self, Filter};

const LIST: &str = "/api/v1/payment";

/// Payments, newest first, refused ones among them: a customer's own, all for an administrator.
#[utoipa::path(
    get,
    path = "/api/v1/payment",
    tag = "payment",
    params(Page),
    responses(
        (status = 200, description = "The payments; `Link` leads to the next page.", body = Vec<PaymentView>),
        BadToken,
        (
            status = 403,
            description = "The caller is neither a customer nor an administrator.",
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
    extensions(("x-roles" = json!(["customer", "admin"]))),
)]
pub async fn list_payments(
    State(state): State<crate::State>,
    caller: Caller,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    caller.require(&[Role::Customer, Role::Admin])?;
    let filter = Filter {
        customer: (!caller.is_admin()).then_some(caller.id.0),
        before: page.cursor,
        limit: page.sql_limit(),
        ..Filter::all()
    };
    let mut connection = state.pool.acquire().await?;
    let payments = payments::list(&mut connection, filter).await?;
    let payments = payments.into_iter().map(PaymentView::from).collect();
    Ok(page.answer(LIST, payments, |payment: &PaymentView| payment.id))
}
