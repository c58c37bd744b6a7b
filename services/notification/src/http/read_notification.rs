use axum::extract;
use tiffin_bus::Cause;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Writes,
    refusal::{BadPath, BadToken, TooMany},
    refused_by, telemetry,
};
use tiffin_events::NotificationId;

use super::NotificationAnswer;
use crate::{State, error::Refusal, limits, notification, store};

refused_by! {
    ReadNotificationRefusals:
        BadPath, BadToken, TooMany, Refusal::{Unknown},
}

/// Marks one of the caller's notifications as read.
#[utoipa::path(
    put, path = "/api/v1/notification/{id}/read", tag = "notification",
    params(("id" = NotificationId, Path, description = "The notification.")),
    responses(
        (status = 200, description = "The notification is marked as read.", body = NotificationAnswer),
        ReadNotificationRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn read_notification(
    extract::State(state): extract::State<State>,
    caller: Caller,
    writes: Writes,
    Path(id): Path<NotificationId>,
) -> Result<Json<NotificationAnswer>, Problem> {
    writes.count(&limits::READS, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    if !store::is_of(&mut tx, id, caller.id).await? {
        return Err(Refusal::Unknown.into());
    }
    let cause = Cause::user(caller.id, telemetry::traceparent());
    let read = tiffin_bus::change(
        &mut tx,
        &state.recorder,
        &cause,
        id,
        |notification: &mut notification::Notification| Ok(notification.mark_read()),
    )
    .await?;
    let answer = NotificationAnswer::of(&mut tx, "Notification read", read).await?;
    tx.commit().await?;
    Ok(Json(answer))
}
