use axum::extract;
use serde::Serialize;
use tiffin_chassis::{Json, Problem};
use utoipa::ToSchema;

use crate::State;

/// The public key that browsers subscribe with.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PushKey {
    /// The `applicationServerKey`, base64url.
    public_key: String,
}

/// Returns the key that browsers subscribe with.
#[utoipa::path(
    get, path = "/api/v1/notification/push/key", tag = "notification",
    responses((status = 200, description = "The public key.", body = PushKey)),
    extensions(("x-roles" = json!(["*"])))
)]
pub(crate) async fn show_push_key(
    extract::State(state): extract::State<State>,
) -> Result<Json<PushKey>, Problem> {
    let public_key = state.push_key().await?.public().to_owned();
    Ok(Json(PushKey { public_key }))
}
