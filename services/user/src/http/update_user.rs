use axum::extract;
use serde::Deserialize;
use tiffin_bus::Cause;
use tiffin_chassis::{
    AnyCaller, FieldErrors, Json, Path, Problem, Writes,
    refusal::{BadBody, BadField, BadPath, BadToken, TooMany},
    refusals, refused_by, telemetry,
};
use tiffin_events::UserId;
use utoipa::ToSchema;

use super::{answers::UserAnswer, register::prefetch_key};
use crate::{
    State, limits,
    rules::{self, BadInput},
    user::{self, ProfileChange, Refusal},
};

/// New values for a profile. What is left out or null stays; e-mail and role never change here.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserUpdate {
    first_name: Option<String>,
    last_name: Option<String>,
    address: Option<String>,
    phone: Option<String>,
    /// A picture's URL.
    image: Option<String>,
    /// Degrees, with `lng`.
    lat: Option<f64>,
    lng: Option<f64>,
}

impl UserUpdate {
    fn check(self) -> Result<ProfileChange, Problem> {
        let mut errors = FieldErrors::default();
        let first_name = errors.check_given("firstName", self.first_name, |text: String| {
            rules::name(&text)
        });
        let last_name = errors.check_given("lastName", self.last_name, |text: String| {
            rules::name(&text)
        });
        let address = errors.check_given("address", self.address, |text: String| {
            rules::address(&text)
        });
        let phone = errors.check_given("phone", self.phone, |text: String| rules::phone(&text));
        let image = errors.check_given("image", self.image, |text: String| rules::image(&text));
        let place = errors.check("lat", rules::place(self.lat, self.lng));
        match (first_name, last_name, address, phone, image, place) {
            (
                Some(first_name),
                Some(last_name),
                Some(address),
                Some(phone),
                Some(image),
                Some(place),
            ) => Ok(ProfileChange {
                first_name,
                last_name,
                phone,
                address,
                image,
                place,
            }),
            _ => Err(errors.into_problem()),
        }
    }
}

refusals! {
    /// Another account, and the caller is no administrator.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum NotYours {
        Change = 403, "user.profile-change-not-yours", "You may only change your own profile.";
    }
}

refused_by! {
    UpdateUserRefusals:
        BadBody, BadField, BadPath, BadToken, TooMany, NotYours, BadInput, Refusal::{Unknown},
}

/// Changes a profile: the caller's own, or any by an administrator.
#[utoipa::path(
    put, path = "/api/v1/users/update/{id}", tag = "user", security(("bearer" = [])),
    params(("id" = UserId, Path, description = "The account's id.")), request_body = UserUpdate,
    responses(
        (status = 200, description = "The profile as it is now.", body = UserAnswer),
        UpdateUserRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn update_user(
    extract::State(state): extract::State<State>,
    AnyCaller { caller, verified }: AnyCaller,
    writes: Writes,
    Path(id): Path<UserId>,
    Json(body): Json<UserUpdate>,
) -> Result<Json<UserAnswer>, Problem> {
    if caller.id != id && !(verified && caller.is_admin()) {
        return Err(NotYours::Change.into());
    }
    let change = body.check()?;
    writes.count(&limits::PROFILES, &caller).await?;
    prefetch_key(&state, id).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let cause = Cause::user(caller.id, telemetry::traceparent());
    let user = tiffin_bus::change(
        &mut tx,
        &state.recorder,
        &cause,
        id,
        |user: &mut user::User| user.update(change),
    )
    .await?;
    tx.commit().await?;
    Ok(Json(UserAnswer::new("Profile updated!", user)))
}
