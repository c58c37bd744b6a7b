use axum::extract;
use serde::Serialize;
use tiffin_chassis::{Caller, Json, Problem, refusal::BadToken, refused_by};
use utoipa::ToSchema;

use crate::{State, store};

/// The number of unread notifications.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct UnreadCount {
    unread: i64,
}

refused_by! {
    CountUnreadNotificationsRefusals:
        BadToken,
}

/// The number of the caller's unread notifications.
#[utoipa::path(
    get, path = "/api/v1/notification/unread", tag = "notification",
    responses(
        (status = 200, description = "The number.", body = UnreadCount),
        CountUnreadNotificationsRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn count_unread_notifications(
    extract::State(state): extract::State<State>,
    caller: Caller,
) -> Result<Json<UnreadCount>, Problem> {
    let mut conn = state.pool.acquire().await?;
    let unread = store::count_unread(&mut conn, caller.id).await?;
    Ok(Json(UnreadCount { unread }))
}
