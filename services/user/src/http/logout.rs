use axum::{
    extract,
    response::{IntoResponse, Response},
};
use tiffin_chassis::Problem;

use super::{
    answers::{Message, set_cookie},
    request_context::{RequestContext, clear_cookie},
};
use crate::{State, store::sessions};

/// Ends the session of the cookie and takes the cookie away.
#[utoipa::path(
    post, path = "/api/v1/users/logout", tag = "user",
    responses((status = 200, description = "Signed out, if anybody was signed in.", body = Message)),
    extensions(("x-roles" = json!(["*"])))
)]
pub(crate) async fn logout(
    extract::State(state): extract::State<State>,
    context: RequestContext,
) -> Result<Response, Problem> {
    if let Some(token) = &context.refresh {
        let mut conn = state.pool.acquire().await?;
        sessions::end(&mut conn, state.clock.now(), token).await?;
    }
    let mut answer = Message::new("Logged out").into_response();
    set_cookie(&mut answer, &clear_cookie());
    Ok(answer)
}
