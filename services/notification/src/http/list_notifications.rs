use axum::{extract, response::Response};
use serde::Deserialize;
use tiffin_chassis::{
    Caller, Problem, Query,
    paging::{self, Cursor},
    refusal::{BadField, BadQuery, BadToken},
    refused_by,
};
use utoipa::IntoParams;
use uuid::Uuid;

use super::Notification;
use crate::{
    State,
    store::{self, bundles},
};

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

/// The caller's notifications, newest first. What is new of the orders of one checkout from one restaurant is one.
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
    let found = store::list(&mut conn, caller.id, page.cursor, limit).await?;
    let found = bundles::with_orders(&mut conn, found).await?;
    let rows = found.into_iter().map(|bundle| {
        let cursor = Cursor::at(bundle.notification.id.0);
        (Notification::from(bundle), cursor)
    });
    let path = "/api/v1/notification";
    Ok(paging::answer(path, &[], page.limit, rows.collect()))
}
