use axum::extract;
use tiffin_chassis::{Caller, Json, Problem, refusal::BadToken, refused_by};

use super::CopyAnswer;
use crate::{State, store::copies};

refused_by! {
    ReadCopyRefusals:
        BadToken,
}

/// The state of the caller's copy.
#[utoipa::path(
    get, path = "/api/v1/users/copy", tag = "user", security(("bearer" = [])),
    responses(
        (status = 200, description = "As it is now.", body = CopyAnswer),
        ReadCopyRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn read_copy(
    extract::State(state): extract::State<State>,
    caller: Caller,
) -> Result<Json<CopyAnswer>, Problem> {
    let copy = copies::find(&state.pool, caller.id, state.clock.now()).await?;
    Ok(Json(CopyAnswer::new(copy)))
}
