use axum::{extract, response::Response};
use serde::Serialize;
use tiffin_chassis::{
    EnrollingCaller, Json, Problem,
    documented::{BadBody, BadToken},
    problem::ProblemBody,
};
use utoipa::ToSchema;

use super::{Code, account, before, end_others, hold};
use crate::{
    State,
    http::{
        answers::{LoginAnswer, private},
        request_context::RequestContext,
    },
    second_factor::{self, Good, News, Origin, Recovery},
    tokens::Standing,
};

/// Two-step sign-in is on.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TurnedOn {
    #[serde(flatten)]
    answer: LoginAnswer,
    /// Each is good once. They are shown this once.
    recovery_codes: Vec<String>,
}

/// Turns two-step sign-in on with a first code of the app.
///
/// All other sessions end, and so do tokens from before. The account's owner is mailed.
#[utoipa::path(
    post, path = "/api/v1/users/second-factor/on", tag = "user", security(("bearer" = [])),
    request_body = Code,
    responses(
        (status = 200, description = "It is on.", body = TurnedOn),
        BadBody,
        BadToken,
        (status = 409, description = "It is on already, or was not begun.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "The code is wrong.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many wrong codes.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 503, description = "Too many ask at once.",
            body = ProblemBody, content_type = "application/problem+json"),
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn turn_on_second_factor(
    extract::State(state): extract::State<State>,
    EnrollingCaller(caller): EnrollingCaller,
    context: RequestContext,
    Json(body): Json<Code>,
) -> Result<Response, Problem> {
    let known = account(&state, &caller).await?;
    let mut conn = state.pool.acquire().await?;
    let begun = second_factor::find(&mut conn, known.id).await?;
    drop(conn);
    if begun.is_none_or(|factor| factor.is_confirmed) {
        return Err(not_begun());
    }
    let good = second_factor::judge(&state, known.id, &body.code, Origin::Session).await?;
    // Recovery codes of before are not for this.
    if matches!(good, Good::Recovery(_)) {
        return Err(not_begun());
    }
    let recovery = Recovery::new(&state.passwords).await?;
    let keys = state.keys.current().await?;
    let mut tx = state.pool.begin().await?;
    let user = hold(&mut tx, &known).await?;
    second_factor::spend(&mut tx, &state, user.id, good).await?;
    if !second_factor::confirm(&mut tx, state.clock.now(), user.id).await? {
        return Err(not_begun());
    }
    second_factor::write_recovery(&mut tx, user.id, &recovery.hashes).await?;
    let proof = end_others(&mut tx, &state, &user, &context).await?;
    second_factor::queue(&mut tx, &state, &user.email, News::On).await?;
    let policy = state.config.admin_second_factor;
    let standing = Standing::read(&mut tx, policy, &user, proof).await?;
    let message = "Two-step sign-in is on";
    let answer = LoginAnswer::new(&keys, &state.clock, message, user, &standing)?;
    tx.commit().await?;
    state
        .verifier
        .revocations()
        .revoke(known.id, before(&state));
    state.mail_waits.notify_one();
    Ok(private(TurnedOn {
        answer,
        recovery_codes: recovery.codes,
    }))
}

fn not_begun() -> Problem {
    Problem::conflict("Two-step sign-in is on already, or was not begun. Please begin again.")
}
