use axum::extract;
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Caller, Json, Problem, Writes,
    refusal::{BadBody, BadField, BadToken, TooMany},
    refused_by,
};
use utoipa::ToSchema;

use crate::{State, limits, notification, store::preferences};

/// The channels by which a user is notified.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NotificationPreferences {
    mail: bool,
    /// Messages to subscribed browsers.
    push: bool,
    /// The list of notifications, and pages that are open.
    in_app: bool,
}

impl From<notification::Preferences> for NotificationPreferences {
    fn from(preferences: notification::Preferences) -> Self {
        Self {
            mail: preferences.mail,
            push: preferences.push,
            in_app: preferences.in_app,
        }
    }
}

/// The channels to change.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PreferencesChange {
    mail: Option<bool>,
    push: Option<bool>,
    in_app: Option<bool>,
}

refused_by! {
    ShowPreferencesRefusals:
        BadToken,
}

/// The channels by which the caller is notified.
#[utoipa::path(
    get, path = "/api/v1/notification/preferences", tag = "notification",
    responses(
        (status = 200, description = "The caller's preferences; every channel by default.",
            body = NotificationPreferences),
        ShowPreferencesRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn show_preferences(
    extract::State(state): extract::State<State>,
    caller: Caller,
) -> Result<Json<NotificationPreferences>, Problem> {
    let mut conn = state.pool.acquire().await?;
    Ok(Json(preferences::of(&mut conn, caller.id).await?.into()))
}

refused_by! {
    SetPreferencesRefusals:
        BadBody, BadField, BadToken, TooMany,
}

/// Changes the channels by which the caller is notified. Channels that are left out stay as they are.
#[utoipa::path(
    put, path = "/api/v1/notification/preferences", tag = "notification",
    request_body = PreferencesChange,
    responses(
        (status = 200, description = "The new preferences.", body = NotificationPreferences),
        SetPreferencesRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn set_preferences(
    extract::State(state): extract::State<State>,
    caller: Caller,
    writes: Writes,
    Json(change): Json<PreferencesChange>,
) -> Result<Json<NotificationPreferences>, Problem> {
    writes.count(&limits::SETTINGS, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let PreferencesChange { mail, push, in_app } = change;
    preferences::set(&mut tx, caller.id, mail, push, in_app).await?;
    let preferences = preferences::of(&mut tx, caller.id).await?;
    tx.commit().await?;
    Ok(Json(preferences.into()))
}
