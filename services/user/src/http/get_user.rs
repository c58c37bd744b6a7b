use axum::{extract, response::Response};
use tiffin_chassis::{
    AnyCaller, Path, Problem,
    refusal::{BadPath, BadToken},
    refusals, refused_by,
};
use tiffin_events::UserId;

use super::answers::{User, no_store};
use crate::{Error, State, store, user::Refusal};

refusals! {
    /// Another account, and the caller is no administrator.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum NotYours {
        Read = 403, "user.profile-not-yours", "You may only read your own profile.";
    }
}

refused_by! {
    GetUserRefusals:
        BadPath, BadToken, NotYours, Refusal::{Unknown},
}

/// One profile: the caller's own, or any to an administrator.
#[utoipa::path(
    get, path = "/api/v1/users/{id}", tag = "user", security(("bearer" = [])),
    params(("id" = UserId, Path, description = "The account's id.")),
    responses(
        (status = 200, description = "The profile.", body = User),
        GetUserRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn get_user(
    extract::State(state): extract::State<State>,
    AnyCaller { caller, verified }: AnyCaller,
    Path(id): Path<UserId>,
) -> Result<Response, Problem> {
    if caller.id != id && !(verified && caller.is_admin()) {
        return Err(NotYours::Read.into());
    }
    let mut conn = state.pool.acquire().await?;
    let user = store::find(&mut conn, id)
        .await?
        .ok_or(Error::from(Refusal::Unknown))?;
    Ok(no_store(User::from(user)))
}
