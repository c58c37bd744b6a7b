use axum::extract::State;
use serde::Deserialize;
use tiffin_bus::fault;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Writes,
    refusal::{BadBody, BadField, BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::Role;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Message;
use crate::{
    NAME, limits,
    print_job::{PrintOutcome, PrintProblem, PrintRefusal},
    store::print_jobs,
};

/// The result of a print job.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrintReport {
    /// The agent that claimed it.
    agent_id: Uuid,
    outcome: PrintOutcome,
    /// The reason why it is not printed.
    problem: Option<PrintProblem>,
}

refused_by! {
    ReportPrintJobRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{Role}, TooMany, PrintRefusal::{NoJob, NotHeld},
}

/// Records the result of a claimed ticket: printed, not sent to the printer, or perhaps printed. Only a ticket that was
/// not sent waits again.
#[utoipa::path(
    put,
    path = "/api/v1/orders/print-jobs/report/{id}",
    tag = "order",
    params(("id" = String, Path, description = "The print job's `_id`.")),
    request_body = PrintReport,
    responses(
        (status = 200, description = "The result is recorded.", body = Message),
        ReportPrintJobRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant"]))),
)]
pub async fn report_print_job(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(id): Path<String>,
    Json(report): Json<PrintReport>,
) -> Result<Json<Message>, Problem> {
    caller.require(&[Role::Restaurant])?;
    let id: Uuid = id.parse().map_err(|_| PrintRefusal::NoJob)?;
    writes.count(&limits::PRINTING, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let by = (caller.id, report.agent_id);
    let now = state.clock.now();
    print_jobs::report(&mut tx, id, by, report.outcome, report.problem, now).await??;
    tx.commit().await?;
    fault::point(NAME, "after_report_commit").await;
    Ok(Json(Message {
        message: "The result is recorded.",
    }))
}
