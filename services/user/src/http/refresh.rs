use axum::{extract, response::Response};
use tiffin_chassis::{Problem, refused_by};

use super::{
    answers::{LoginAnswer, SessionOver, account_blocked, session_over, set_cookie},
    login::SignInRefusal,
    request_context::RequestContext,
};
use crate::{
    State,
    store::{
        self,
        sessions::{self, Renewed},
    },
    tokens::AccountClaims,
};

refused_by! {
    RefreshRefusals:
        SessionOver, SignInRefusal::{Blocked},
}

/// Exchanges the refresh token in the cookie for a new access token and the next refresh token.
///
/// The token says as before when the user last showed who they are. A refresh token is good for one use. When a used one comes back later than ten seconds after, the
/// whole session ends.
#[utoipa::path(
    post, path = "/api/v1/users/refresh", tag = "user",
    responses(
        (status = 200, description = "Still signed in.", body = LoginAnswer),
        RefreshRefusals,
    ),
    extensions(("x-roles" = json!(["*"])))
)]
pub(crate) async fn refresh(
    extract::State(state): extract::State<State>,
    context: RequestContext,
) -> Result<Response, Problem> {
    let Some(token) = &context.refresh else {
        return Ok(session_over());
    };
    let keys = state.keys.current().await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    // The account is locked before its sessions, as a block does it. In the other order the two could wait
    // for each other.
    let user = match sessions::owner(&mut tx, token).await? {
        Some(id) => store::lock_shared(&mut tx, id).await?,
        None => None,
    };
    let next = sessions::renew(&mut tx, state.clock.now(), token).await?;
    let is_blocked = user.as_ref().is_some_and(|user| user.blocked);
    let policy = state.config.admin_second_factor;
    let next = match (user.filter(|user| !user.blocked), next) {
        (Some(user), Some(Renewed { token, proof })) => {
            let claims = AccountClaims::read(&mut tx, policy, &user, proof).await?;
            claims.has_required_proof().then_some((user, claims, token))
        }
        _ => None,
    };
    let answer = match next {
        Some((user, claims, token)) => {
            let mut answer = LoginAnswer::sign(&keys, &state.clock, "Welcome back", user, &claims)?;
            set_cookie(&mut answer, &context.cookie(&token));
            answer
        }
        None if is_blocked => account_blocked(),
        None => session_over(),
    };
    // Committed either way: the end of a stolen session counts too.
    tx.commit().await?;
    Ok(answer)
}
