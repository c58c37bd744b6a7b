use axum::extract::State;
use serde::Deserialize;
use tiffin_chassis::{Json, Problem, ProblemBody, documented::BadBody};
use utoipa::ToSchema;

use crate::{
    cart::{Cart, CartLine, Quote},
    error::Error,
    store::items,
};

/// The cart to price.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Cart)]
pub struct QuoteRequest {
    /// 1 to 50 lines; those of the same dish are added up.
    order_item: Vec<CartLine>,
}

/// The price of a cart now.
#[utoipa::path(
    post,
    path = "/api/v1/orders/quote",
    tag = "order",
    request_body = QuoteRequest,
    responses(
        (status = 200, description = "The price of each line and of all.", body = Quote),
        BadBody,
        (
            status = 409,
            description = "A restaurant is closed, or a dish is out of stock.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
        (
            status = 422,
            description = "The cart is empty or too long, a quantity is out of bounds, or a dish is unknown.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
    ),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn quote(
    State(state): State<crate::State>,
    Json(request): Json<QuoteRequest>,
) -> Result<Json<Quote>, Problem> {
    let cart = Cart::new(&request.order_item).map_err(Error::from)?;
    let mut connection = state.pool.acquire().await?;
    let dishes = items::dishes(&mut connection, &cart.keys()).await?;
    Ok(Json(cart.quote(&dishes).map_err(Error::from)?))
}
