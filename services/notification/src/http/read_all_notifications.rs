use axum::extract;
use serde::Serialize;
use tiffin_chassis::{
    Caller, Json, Problem, Writes,
    refusal::{BadToken, TooMany},
    refused_by,
};
use utoipa::ToSchema;

use crate::{State, limits, store};

/// The result of marking all notifications as read.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReadAnswer {
    message: String,
    /// The number of notifications that were unread before.
    read: u64,
}

refused_by! {
    ReadAllNotificationsRefusals:
        BadToken, TooMany,
}

/// Marks all of the caller's notifications as read.
#[utoipa::path(
    put, path = "/api/v1/notification/read", tag = "notification",
    responses(
        (status = 200, description = "The notifications are marked as read.", body = ReadAnswer),
        ReadAllNotificationsRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn read_all_notifications(
    extract::State(state): extract::State<State>,
    caller: Caller,
    writes: Writes,
) -> Result<Json<ReadAnswer>, Problem> {
    writes.count(&limits::READS, &caller).await?;
    let mut conn = state.pool.acquire().await?;
    let read = store::read_all(&mut conn, caller.id).await?;
    let message = "Notifications read".to_owned();
    Ok(Json(ReadAnswer { message, read }))
}
