use axum::extract;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use tiffin_chassis::{
    Caller, Json, Problem, Writes, mail,
    refusal::{BadBody, BadField, BadToken, TooMany, WrongCaller},
    refusals, refused_by,
};
use tiffin_events::{Role, UserId};
use utoipa::ToSchema;

use crate::{Error, State, language::Language, limits, notification, store::preferences};

/// The channels by which a user is notified.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NotificationPreferences {
    mail: bool,
    /// Messages to subscribed browsers.
    push: bool,
    /// The list of notifications, and pages that are open.
    in_app: bool,
    /// The address that gets a mail, too, of an order that is refused soon because it has no answer. Restaurants' alone.
    second_contact: Option<String>,
    /// The language of mails; English without one.
    language: Option<Language>,
}

impl NotificationPreferences {
    async fn of(db: &mut PgConnection, user: UserId) -> Result<Self, Error> {
        let notification::Preferences { mail, push, in_app } = preferences::of(db, user).await?;
        let second_contact = preferences::second_contacts(db, [user])
            .await?
            .remove(&user);
        Ok(Self {
            mail,
            push,
            in_app,
            second_contact,
            language: preferences::language(db, user).await?,
        })
    }
}

/// The channels to change.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PreferencesChange {
    mail: Option<bool>,
    push: Option<bool>,
    in_app: Option<bool>,
    /// A restaurant's second contact: an e-mail address, or an empty text to remove it.
    second_contact: Option<String>,
    /// The language of mails.
    language: Option<Language>,
}

refusals! {
    /// The reason why an address is no second contact.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum BadContact {
        Address =
            422, "notification.second-contact-invalid", "Please enter a valid email address.",
            at "secondContact";
    }
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
    let preferences = NotificationPreferences::of(&mut conn, caller.id).await?;
    Ok(Json(preferences))
}

refused_by! {
    SetPreferencesRefusals:
        BadBody, BadField, BadToken, WrongCaller::{Role}, TooMany, BadContact,
}

/// Changes the channels by which the caller is notified, the language of mails, or a restaurant's second contact. What
/// is left out stays as it is.
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
    let contact = change.second_contact.as_deref().map(str::trim);
    if let Some(address) = contact {
        caller.require(&[Role::Restaurant])?;
        if !address.is_empty() && !mail::is_address(address) {
            return Err(BadContact::Address.into());
        }
    }
    writes.count(&limits::SETTINGS, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let PreferencesChange {
        mail, push, in_app, ..
    } = change;
    preferences::set(&mut tx, caller.id, mail, push, in_app).await?;
    if let Some(address) = contact {
        let address = Some(address).filter(|address| !address.is_empty());
        preferences::set_second_contact(&mut tx, caller.id, address).await?;
    }
    if let Some(language) = change.language {
        preferences::set_language(&mut tx, caller.id, language).await?;
    }
    let preferences = NotificationPreferences::of(&mut tx, caller.id).await?;
    tx.commit().await?;
    Ok(Json(preferences))
}
