use axum::extract::State;
use serde::Deserialize;
use tiffin_chassis::{
    Json, Problem,
    refusal::{BadBody, BadField},
    refused_by,
};
use utoipa::ToSchema;

use crate::{
    cart::{Cart, CartError, CartLine, Quote},
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

refused_by! {
    QuoteRefusals:
        BadBody, BadField, CartError,
}

/// The price of a cart now.
#[utoipa::path(
    post,
    path = "/api/v1/orders/quote",
    tag = "order",
    request_body = QuoteRequest,
    responses(
        (status = 200, description = "The price of each line and of all.", body = Quote),
        QuoteRefusals,
    ),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn quote(
    State(state): State<crate::State>,
    Json(request): Json<QuoteRequest>,
) -> Result<Json<Quote>, Problem> {
    let cart = Cart::new(&request.order_item)?;
    let mut connection = state.pool.acquire().await?;
    let dishes = items::dishes(
        &mut connection,
        &cart.keys(),
        state.clock.now(),
        &state.time_zone,
    )
    .await?;
    Ok(Json(cart.quote(&dishes)?))
}
