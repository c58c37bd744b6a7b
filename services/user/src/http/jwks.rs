use axum::{
    extract,
    response::{IntoResponse, Response},
};
use http::header;
use tiffin_chassis::{Json, Problem, problem::ProblemBody};

use crate::{State, keys::JwkSet};

/// The public keys that access tokens are checked with.
#[utoipa::path(
    get, path = "/.well-known/jwks.json", tag = "user",
    responses(
        (status = 200, description = "A JSON Web Key Set.", body = JwkSet),
        (status = 503, description = "The keys can't be read now.",
            body = ProblemBody, content_type = "application/problem+json"),
    ),
    extensions(("x-roles" = json!(["*"])))
)]
pub(crate) async fn jwks(
    extract::State(state): extract::State<State>,
) -> Result<Response, Problem> {
    let keys = state.keys.current().await?;
    Ok((
        [(header::CACHE_CONTROL, "public, max-age=60")],
        Json(keys.jwks().clone()),
    )
        .into_response())
}
