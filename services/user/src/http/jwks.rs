use axum::{
    extract,
    response::{IntoResponse, Response},
};
use http::header;
use tiffin_chassis::{Json, Problem, refusal::Failure, refused_by};

use crate::{State, keys::JwkSet};

refused_by! {
    JwksRefusals:
        Failure::{NotReady},
}

/// The public keys that access tokens are checked with.
#[utoipa::path(
    get, path = "/.well-known/jwks.json", tag = "user",
    responses(
        (status = 200, description = "A JSON Web Key Set.", body = JwkSet),
        JwksRefusals,
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
