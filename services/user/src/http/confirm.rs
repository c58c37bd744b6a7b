use axum::{extract, response::Response};
use serde::Deserialize;
use tiffin_chassis::{
    EnrollingCaller, Json, Problem,
    refusal::{BadBody, BadField, BadToken},
    refusals, refused_by,
    token::{Method, Proof},
};
use utoipa::ToSchema;

use super::{
    answers::LoginAnswer,
    attempt::{Attempt, TooManyFailures},
    request_context::RequestContext,
};
use crate::{
    Error, State,
    second_factor::{self, BadCode, Origin, ValidCode},
    store::{self, second_factors, sessions},
    tokens::AccountClaims,
    user::{Refusal, User},
};

/// The password or code that proves the caller again.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct Confirmation {
    /// Six digits of the authenticator app, or a recovery code: of who has turned on two-step sign-in.
    #[schema(example = "042137")]
    code: Option<String>,
    /// The password, of everybody else.
    password: Option<String>,
}

refusals! {
    /// A password that proves nothing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum BadPassword {
        None =
            409, "user.no-password",
            "Your account has no password. Please sign in with Google again, or turn on two-step sign-in.";
        Missing = 422, "user.password-required", "Please enter your password.", at "password";
        Wrong = 422, "user.password-wrong", "The password is wrong.", at "password";
    }
}

refused_by! {
    ConfirmRefusals:
        BadBody, BadField, BadToken, Refusal::{Unknown, Busy}, BadCode, BadPassword,
        TooManyFailures,
}

/// Shows again who is there, for what asks for a proof of the last five minutes (RFC 9470).
///
/// The answer's token says that it was shown now. Who has turned on two-step sign-in shows a code.
#[utoipa::path(
    post, path = "/api/v1/users/confirm", tag = "user", security(("bearer" = [])),
    request_body = Confirmation,
    responses(
        (status = 200, description = "Shown; the token says so.", body = LoginAnswer),
        ConfirmRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn confirm(
    extract::State(state): extract::State<State>,
    EnrollingCaller(caller): EnrollingCaller,
    context: RequestContext,
    Json(body): Json<Confirmation>,
) -> Result<Response, Problem> {
    let mut conn = state.pool.acquire().await?;
    let user = store::find(&mut conn, caller.id)
        .await?
        .ok_or(Error::from(Refusal::Unknown))?;
    let has_factor = second_factors::is_on(&mut conn, user.id).await?;
    drop(conn);
    let code = if has_factor {
        Some(verify_code(&state, &user, body.code.as_deref()).await?)
    } else {
        verify_password(&state, &user, body.password.as_deref()).await?;
        None
    };
    let keys = state.keys.current().await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let current = store::lock_shared(&mut tx, user.id).await?;
    // Refused if the account was blocked or got another password meanwhile.
    let user = current
        .filter(|now| !now.blocked && now.password_hash == user.password_hash)
        .ok_or(BadToken::Missing)?;
    if let Some(code) = code {
        second_factor::redeem(&mut tx, &state, user.id, code).await?;
    }
    let method = if has_factor { Method::Otp } else { Method::Pwd };
    let proof = Proof {
        at: Some(state.clock.now()),
        methods: vec![method],
    };
    if let Some(session) = &context.refresh {
        sessions::set_proof(&mut tx, user.id, session, &proof).await?;
    }
    let policy = state.config.admin_second_factor;
    let claims = AccountClaims::read(&mut tx, policy, &user, proof).await?;
    let message = "You have confirmed that it is you.";
    let answer = LoginAnswer::sign(&keys, &state.clock, message, user, &claims)?;
    tx.commit().await?;
    Ok(answer)
}

async fn verify_code(state: &State, user: &User, code: Option<&str>) -> Result<ValidCode, Problem> {
    let code = code.map(str::trim).filter(|code| !code.is_empty());
    let code = code.ok_or(BadCode::Missing)?;
    second_factor::verify(state, user.id, code, Origin::Session).await
}

/// 422 unless it is the account's password; only the account's own wrong ones count.
pub(super) async fn verify_password(
    state: &State,
    user: &User,
    password: Option<&str>,
) -> Result<(), Problem> {
    let Some(hash) = user.password() else {
        return Err(BadPassword::None.into());
    };
    let password = password.filter(|password| !password.is_empty());
    let password = password.ok_or(BadPassword::Missing)?;
    let turn = state.passwords.turn().await?;
    let attempt = Attempt::in_session(state, user.id).await?;
    if !turn.verify(password, Some(hash)).await? {
        return Err(BadPassword::Wrong.into());
    }
    Ok(attempt.succeeded(state).await?)
}
