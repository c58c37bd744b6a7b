use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Scope, Writes,
    refusal::{BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::{Role, SuggestionId};

use crate::{
    candidates,
    delivery::{Order, Refusal},
    error::Error,
    limits,
    store::{orders, suggestions},
    suggestion::Suggestion,
    view::suggestion::{SuggestedDriver, Suggestions},
};

refused_by! {
    SuggestDriversRefusals:
        BadPath, BadToken, WrongCaller::{Role}, TooMany,
        Refusal::{NoOrder, OrderCancelled},
}

/// The drivers who would have an order at its door first, with the reason. Those who declined it are not among them.
/// Picking one confirms nothing: the order's confirmation names its driver.
#[utoipa::path(
    post,
    path = "/api/v1/delivery/suggest/{id}",
    tag = "delivery",
    params(("id" = String, Path, description = "The order's `_id` or `orderId`.")),
    responses(
        (status = 200, description = "The drivers who suit the order best.", body = Suggestions),
        SuggestDriversRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn suggest_drivers(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(key): Path<String>,
) -> Result<Json<Suggestions>, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    writes.count(&limits::SUGGESTIONS, &caller).await?;
    let order = {
        let mut connection = state.pool.acquire().await?;
        orders::find(&mut connection, Scope::of(&caller), &key)
            .await?
            .ok_or(Refusal::NoOrder)?
    };
    order.check_deliverable()?;
    let suggested_at = state.clock.now();
    let drivers = candidates::suggest(&state, &order).await?;
    record(&state, &caller, &order, &drivers).await?;
    Ok(Json(Suggestions {
        order_id: order.code,
        suggested_at,
        drivers,
    }))
}

/// Keeps who was suggested, with an event if that changed.
async fn record(
    state: &crate::State,
    caller: &Caller,
    order: &Order,
    drivers: &[SuggestedDriver],
) -> Result<(), Error> {
    let drivers = drivers.iter().map(SuggestedDriver::event).collect();
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let new = Suggestion::new(SuggestionId(state.clock.new_id()), order);
    suggestions::insert(&mut tx, &new).await?;
    tiffin_bus::change(
        &mut tx,
        &state.recorder,
        &crate::State::cause(caller),
        order.id,
        |suggestion: &mut Suggestion| Ok(suggestion.suggest(drivers)),
    )
    .await?;
    Ok(tx.commit().await?)
}
