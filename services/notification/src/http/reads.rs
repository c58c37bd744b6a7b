use axum::{extract, response::Response};
use tiffin_bus::Cause;
use tiffin_chassis::{
    Caller, Json, Page, Path, Problem, Query, documented::BadToken, problem::ProblemBody, telemetry,
};
use tiffin_events::NotificationId;

use super::{Notification, NotificationAnswer};
use crate::{Error, State, notification, store};

/// What the caller was told, newest first.
#[utoipa::path(
    get, path = "/api/v1/notification", tag = "notification", params(Page),
    responses(
        (status = 200, description = "The notifications; `Link` names the next page.", body = [Notification]),
        BadToken,
        (status = 403, description = "The caller's e-mail address is not proven.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "The page can't be read.",
            body = ProblemBody, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin"])))
)]
pub(crate) async fn list_notifications(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let mut conn = state.pool.acquire().await?;
    let told = store::list(&mut conn, caller.id, page).await?;
    let told = told.into_iter().map(Notification::from).collect();
    Ok(
        page.answer("/api/v1/notification", told, |told: &Notification| {
            told.id.0
        }),
    )
}

/// Marks one of the caller's notifications as read.
#[utoipa::path(
    put, path = "/api/v1/notification/{id}/read", tag = "notification",
    params(("id" = NotificationId, Path, description = "Which.")),
    responses(
        (status = 200, description = "It is read.", body = NotificationAnswer),
        BadToken,
        (status = 403, description = "The caller's e-mail address is not proven.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "The caller has no such notification.",
            body = ProblemBody, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin"])))
)]
pub(crate) async fn read_notification(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(id): Path<NotificationId>,
) -> Result<Json<NotificationAnswer>, Problem> {
    let mut tx = state.pool.begin().await?;
    if !store::is_of(&mut tx, id, caller.id).await? {
        return Err(Error::Unknown.into());
    }
    let cause = Cause::user(caller.id, telemetry::traceparent());
    let read = store::change(
        &mut tx,
        &state.clock,
        &cause,
        id,
        notification::Notification::mark_read,
    )
    .await?;
    tx.commit().await?;
    Ok(Json(NotificationAnswer::new("Notification read", read)))
}
