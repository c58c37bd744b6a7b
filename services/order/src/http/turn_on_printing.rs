use axum::extract::State;
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Caller, Json, Problem, Writes,
    refusal::{BadBody, BadField, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::Role;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    limits,
    print_job::{PrintProblem, PrintRefusal},
    store::printing,
};

/// The most restaurants of one agent.
const MAX_RESTAURANTS: usize = 50;

/// A print agent's restaurants, and the state of its printer.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Printing {
    /// The restaurants' `_id`s.
    #[schema(min_items = 1, max_items = 50)]
    restaurant_ids: Vec<Uuid>,
    /// The reason why the printer can't print, if there is one.
    problem: Option<PrintProblem>,
}

/// The tickets that wait.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrintingAnswer {
    /// True if a ticket can be claimed.
    has_ticket: bool,
}

refused_by! {
    TurnOnPrintingRefusals:
        BadBody, BadField, BadToken, WrongCaller::{Role}, TooMany,
        PrintRefusal::{NoRestaurant, NotYours, TooManyRestaurants},
}

/// Has the tickets of restaurants printed from now on. A print agent calls it again and again, with the state of its
/// printer.
#[utoipa::path(
    put,
    path = "/api/v1/orders/printing",
    tag = "order",
    request_body = Printing,
    responses(
        (status = 200, description = "Printing is on.", body = PrintingAnswer),
        TurnOnPrintingRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant"]))),
)]
pub async fn turn_on_printing(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Json(mut request): Json<Printing>,
) -> Result<Json<PrintingAnswer>, Problem> {
    caller.require(&[Role::Restaurant])?;
    let restaurants = distinct(&mut request.restaurant_ids)?;
    writes.count(&limits::PRINTING, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    printing::check_owner(&mut tx, caller.id, restaurants).await??;
    let now = state.clock.now();
    printing::save(&mut tx, caller.id, restaurants, request.problem, now).await?;
    let next = printing::next(&mut tx, restaurants, now).await?;
    tx.commit().await?;
    Ok(Json(PrintingAnswer {
        has_ticket: next.is_some(),
    }))
}

/// An agent's restaurants, each once.
pub fn distinct(restaurants: &mut Vec<Uuid>) -> Result<&[Uuid], PrintRefusal> {
    restaurants.sort_unstable();
    restaurants.dedup();
    match restaurants.len() {
        1..=MAX_RESTAURANTS => Ok(restaurants),
        _ => Err(PrintRefusal::TooManyRestaurants),
    }
}
