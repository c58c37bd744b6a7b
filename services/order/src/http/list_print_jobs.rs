use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Problem,
    refusal::{BadToken, WrongCaller},
    refused_by,
};
use tiffin_events::Role;

use crate::{print_job::PrintMark, store::print_marks};

refused_by! {
    ListPrintJobsRefusals:
        BadToken, WrongCaller::{Role},
}

/// The printing of the owner's tickets of the last day, the newest first, at most 2,000.
#[utoipa::path(
    get,
    path = "/api/v1/orders/print-jobs",
    tag = "order",
    responses(
        (status = 200, description = "A row for each checkout and restaurant that prints.", body = Vec<PrintMark>),
        ListPrintJobsRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant"]))),
)]
pub async fn list_print_jobs(
    State(state): State<crate::State>,
    caller: Caller,
) -> Result<Json<Vec<PrintMark>>, Problem> {
    caller.require(&[Role::Restaurant])?;
    let mut connection = state.pool.acquire().await?;
    let now = state.clock.now();
    Ok(Json(
        print_marks::list(&mut connection, caller.id, now).await?,
    ))
}
