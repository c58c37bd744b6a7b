use axum::{extract, response::Response};
use serde::{Deserialize, Serialize};
use tiffin_bus::Cause;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Query, Writes,
    paging::{self, Cursor},
    refusal::{BadField, BadPath, BadQuery, BadToken, TooMany},
    refused_by, telemetry,
};
use tiffin_events::NotificationId;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{Notification, NotificationAnswer};
use crate::{State, error::Refusal, limits, notification, store};

/// A page of notifications.
#[derive(Deserialize, IntoParams)]
pub(crate) struct NotificationPage {
    /// The largest number of rows, 1 to 500; 1,000 by default.
    limit: Option<i64>,
    /// The cursor from the previous page's `Link`.
    cursor: Option<Uuid>,
}

refused_by! {
    ListNotificationsRefusals:
        BadQuery, BadField, BadToken,
}

/// The caller's notifications, newest first.
#[utoipa::path(
    get, path = "/api/v1/notification", tag = "notification", params(NotificationPage),
    responses(
        (status = 200, description = "The notifications; `Link` names the next page.", body = [Notification]),
        ListNotificationsRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn list_notifications(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Query(page): Query<NotificationPage>,
) -> Result<Response, Problem> {
    let mut conn = state.pool.acquire().await?;
    let limit = paging::sql_limit(page.limit);
    let listed = store::list(&mut conn, caller.id, page.cursor, limit).await?;
    let rows = listed.into_iter().map(|listed| {
        let cursor = Cursor::at(listed.id.0);
        (Notification::from(listed), cursor)
    });
    let path = "/api/v1/notification";
    Ok(paging::answer(path, &[], page.limit, rows.collect()))
}

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
    let mut tx = state.pool.begin().await?;
    if !store::is_of(&mut tx, id, caller.id).await? {
        return Err(Refusal::Unknown.into());
    }
    let cause = Cause::user(caller.id, telemetry::traceparent());
    let read = tiffin_bus::change(
        &mut tx,
        &state.clock,
        &cause,
        id,
        |notification: &mut notification::Notification| Ok(notification.mark_read()),
    )
    .await?;
    tx.commit().await?;
    Ok(Json(NotificationAnswer::new("Notification read", read)))
}

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
    let unread = store::unread(&mut conn, caller.id).await?;
    Ok(Json(UnreadCount { unread }))
}
