use axum::extract::State;
use serde::{Deserialize, Serialize};
use tiffin_bus::fault;
use tiffin_chassis::{
    Caller, Json, Problem, Writes,
    refusal::{BadBody, BadField, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::Role;
use utoipa::ToSchema;
use uuid::Uuid;

use super::turn_on_printing::distinct;
use crate::{
    NAME, limits,
    print_job::{PrintJob, PrintRefusal},
    store::{
        print_jobs::{self, Agent},
        printing,
    },
};

/// A print agent whose printer is ready.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrintClaim {
    /// The same in each call of this agent, and in no other agent's.
    agent_id: Uuid,
    /// The restaurants' `_id`s.
    #[schema(min_items = 1, max_items = 50)]
    restaurant_ids: Vec<Uuid>,
}

/// The ticket to print.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClaimedPrintJob {
    /// None if no ticket waits.
    job: Option<PrintJob>,
}

refused_by! {
    ClaimPrintJobRefusals:
        BadBody, BadField, BadToken, WrongCaller::{Role}, TooMany,
        PrintRefusal::{NoRestaurant, NotYours, TooManyRestaurants},
}

/// Gives a print agent the ticket that it claimed and did not report yet, else the one that waits longest. No other agent
/// gets it. An agent whose report is missing after two minutes leaves a ticket that may have been printed.
#[utoipa::path(
    post,
    path = "/api/v1/orders/print-jobs/claim",
    tag = "order",
    request_body = PrintClaim,
    responses(
        (status = 200, description = "The ticket, or none.", body = ClaimedPrintJob),
        ClaimPrintJobRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant"]))),
)]
pub async fn claim_print_job(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Json(mut request): Json<PrintClaim>,
) -> Result<Json<ClaimedPrintJob>, Problem> {
    caller.require(&[Role::Restaurant])?;
    let restaurants = distinct(&mut request.restaurant_ids)?;
    writes.count(&limits::PRINTING, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    printing::check_owner(&mut tx, caller.id, restaurants).await??;
    let agent = Agent {
        id: request.agent_id,
        owner: caller.id,
        restaurants,
    };
    let job = print_jobs::claim(&mut tx, agent, state.clock.now(), &state.time_zone).await?;
    tx.commit().await?;
    fault::point(NAME, "after_claim_commit").await;
    Ok(Json(ClaimedPrintJob { job }))
}
