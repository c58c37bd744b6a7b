use axum::{
    extract::State,
    http::header,
    response::{Html, IntoResponse, Response},
};
use tiffin_chassis::{
    Caller, Path, Problem, Scope,
    refusal::{BadPath, BadToken, WrongCaller},
    refused_by,
};
use tiffin_events::Role;

use crate::{payment::Refusal, store::invoices};

/// The content security policy of the page, which runs and loads nothing; its one style sheet is inline.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'self'";

refused_by! {
    GetInvoiceRefusals:
        BadPath, BadToken, WrongCaller::{Role}, Refusal::{NotFound},
}

/// An order's invoice as a page to print: for its customer, its restaurant's owner and administrators.
#[utoipa::path(
    get,
    path = "/api/v1/payment/invoice/{orderId}",
    tag = "payment",
    params(("orderId" = String, Path, description = "The order's `_id` or `orderId`.")),
    responses(
        (status = 200, description = "The invoice.", body = String, content_type = "text/html"),
        GetInvoiceRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "admin"]))),
)]
pub async fn get_invoice(
    State(state): State<crate::State>,
    caller: Caller,
    Path(key): Path<String>,
) -> Result<Response, Problem> {
    caller.require(&[Role::Customer, Role::Restaurant, Role::Admin])?;
    let mut connection = state.pool.acquire().await?;
    let invoice = invoices::find(&mut connection, Scope::of(&caller), &key).await?;
    let headers = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "private, no-store"),
    ];
    Ok((headers, Html(invoice.page())).into_response())
}
