use axum::{
    extract,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use serde::Deserialize;
use tiffin_chassis::{
    Json, Network, Problem,
    refusal::{BadBody, BadField},
    refusals, refused_by,
};
use utoipa::ToSchema;

use super::answers::Message;
use crate::{
    State, limits,
    resets::{self, Language},
    rules::{self, BadInput},
    sign_ups,
};

/// The address of the account.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Forgotten {
    #[serde(default)]
    #[schema(required)]
    email: String,
    /// The language of the mail; English without it.
    #[serde(default)]
    language: Language,
}

refusals! {
    /// Too many mails to one address, or for one network.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum AskedTooOften {
        ForPassword =
            429, "user.password-asked-too-often",
            "A new password was asked for too often. Please try again later.";
    }
}

refused_by! {
    ForgotPasswordRefusals:
        BadBody, BadField, BadInput::{Email}, AskedTooOften,
}

/// Asks for a mail with a link to a new password.
///
/// One answer, whether the address has an account, a proven one, a blocked one or none, and the same work:
/// the mail is written later. The link is good once, for half an hour; another one takes its place.
#[utoipa::path(
    post, path = "/api/v1/users/password/forgot", tag = "user", request_body = Forgotten,
    responses(
        (status = 202, description = "If the address has an account, the mail is on its way.", body = Message),
        ForgotPasswordRefusals,
    ),
    extensions(("x-roles" = json!(["*"])))
)]
pub(crate) async fn forgot_password(
    extract::State(state): extract::State<State>,
    Network(network): Network,
    Json(body): Json<Forgotten>,
) -> Result<Response, Problem> {
    let email = rules::email(&body.email).map_err(|fault| Problem::from(fault).at("email"))?;
    let address = sign_ups::address_digest(&email);
    let from = network.map_or_else(|| "-".to_owned(), |network| network.to_string());
    for (key, limit) in [
        (format!("forgot-from:{from}"), limits::RESETS_OF_NETWORK),
        (format!("forgot:{address}:{from}"), limits::RESETS),
        (format!("forgot-mailed:{address}"), limits::RESETS_MAILED),
    ] {
        if let Some(wait) = state.limits.take(&key, limit).await? {
            return Err(Problem::from(AskedTooOften::ForPassword).retry_after(wait.unsigned_abs()));
        }
    }
    resets::request(&state, &email, body.language).await?;
    let message = "If an account has this e-mail address, a mail with a link is on its way.";
    Ok((StatusCode::ACCEPTED, Message::new(message)).into_response())
}
