use axum::{extract, response::Response};
use serde::Deserialize;
use sqlx::{Postgres, Transaction};
use tiffin_chassis::{
    Json, Problem,
    refusal::{BadBody, BadField, TooMany},
    refusals, refused_by,
    token::{Method, Proof},
};
use utoipa::ToSchema;

use super::{
    answers::{LoginAnswer, set_cookie},
    attempt::{Attempt, TooManyFailures},
    request_context::RequestContext,
};
use crate::{
    State, sign_ups,
    store::{self, known_devices, pending_sign_ins, second_factors, sessions},
    tokens::AccountClaims,
    user::{Refusal, User},
};

/// The credentials of an account.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Login {
    email: String,
    password: String,
}

refusals! {
    /// The reason why a session does not begin.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum SignInRefusal {
        Wrong = 401, "user.credentials-wrong", "Invalid email or password.";
        CodeWanted =
            401, "user.code-wanted", "Please enter the code of your authenticator app to sign in.";
        Over = 401, "user.sign-in-over", "This sign-in is over. Please enter your password again.";
        Blocked = 403, "user.blocked", "User is blocked";
    }
}

refused_by! {
    LoginRefusals:
        BadBody, BadField, SignInRefusal::{Wrong, CodeWanted, Blocked}, TooMany, TooManyFailures,
        Refusal::{Busy},
}

/// Signs in.
///
/// The answer carries an access token; the refresh token is in the cookie. An account whose e-mail address
/// is not proven gets a token that opens verification and its own profile only. An account with two-step
/// sign-in gets 401 with `reason` `second_factor_required` and a `challenge` for
/// `/api/v1/users/login/second-factor`.
#[utoipa::path(
    post, path = "/api/v1/users/login", tag = "user", request_body = Login,
    responses(
        (status = 200, description = "Signed in.", body = LoginAnswer),
        LoginRefusals,
    ),
    extensions(("x-roles" = json!(["*"])))
)]
pub(crate) async fn login(
    extract::State(state): extract::State<State>,
    context: RequestContext,
    Json(body): Json<Login>,
) -> Result<Response, Problem> {
    let email = body.email.trim().to_ascii_lowercase();
    // The turn comes before the count: of those who wait for theirs, none is counted as wrong yet.
    let turn = state.passwords.turn_from(context.network).await?;
    let attempt = Attempt::to_sign_in(&state, &context, &email).await?;
    let mut conn = state.pool.acquire().await?;
    let known = store::list_by_email(&mut conn, &email).await?;
    drop(conn);
    let Some(user) = sign_ups::find_by_password(turn, &body.password, known).await? else {
        return Err(SignInRefusal::Wrong.into());
    };
    attempt.succeeded(&state).await?;
    sign_in(&state, &context, &user, &[Method::Pwd]).await
}

/// Begins a session, unless the account was blocked, closed or given another password since `known`
/// was read. `methods` are those of the proof so far; an account with two-step sign-in is asked for a code.
pub(crate) async fn sign_in(
    state: &State,
    context: &RequestContext,
    known: &User,
    methods: &[Method],
) -> Result<Response, Problem> {
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let user = store::lock_shared(&mut tx, known.id)
        .await?
        .filter(|user| user.password_hash == known.password_hash)
        .ok_or(SignInRefusal::Wrong)?;
    if user.blocked {
        return Err(SignInRefusal::Blocked.into());
    }
    if second_factors::is_on(&mut tx, user.id).await? {
        let now = state.clock.now();
        let challenge = pending_sign_ins::begin(&mut tx, now, user.id, methods).await?;
        tx.commit().await?;
        return Err(code_wanted(&challenge));
    }
    start_session(state, context, tx, user, methods).await
}

/// 401 that asks for the code. A client that knows nothing of it shows the sentence.
fn code_wanted(challenge: &str) -> Problem {
    Problem::from(SignInRefusal::CodeWanted)
        .with_extension("reason", &"second_factor_required")
        .with_extension("challenge", &challenge)
}

/// Begins a session within the transaction that holds its user.
pub(crate) async fn start_session(
    state: &State,
    context: &RequestContext,
    mut tx: Transaction<'_, Postgres>,
    user: User,
    methods: &[Method],
) -> Result<Response, Problem> {
    let keys = state.keys.current().await?;
    let message = if user.verified {
        "Login successful"
    } else {
        "Please verify your email first"
    };
    let proof = Proof {
        at: Some(state.clock.now()),
        methods: methods.to_vec(),
    };
    let refresh = sessions::start(&mut tx, &state.clock, user.id, &proof).await?;
    let device = context.device.as_deref();
    let device = known_devices::record(&mut tx, state.clock.now(), user.id, device).await?;
    let policy = state.config.admin_second_factor;
    let claims = AccountClaims::read(&mut tx, policy, &user, proof).await?;
    let mut answer = LoginAnswer::sign(&keys, &state.clock, message, user, &claims)?;
    tx.commit().await?;
    set_cookie(&mut answer, &context.cookie(&refresh));
    set_cookie(&mut answer, &context.device_cookie(&device));
    Ok(answer)
}
