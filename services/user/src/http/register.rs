use std::net::IpAddr;

use axum::{extract, response::Response};
use http::StatusCode;
use tiffin_chassis::{
    IdempotencyKey, Json, Limit, Problem, documented::BadBody, problem::ProblemBody,
};
use tiffin_events::UserId;
use time::Duration;

use super::{answers::UserAnswer, registration::Registration, request_context::RequestContext};
pub(crate) use crate::sign_ups::owner_of_key;
use crate::{State, sign_ups, store};

const OPERATION: &str = "register";

/// Opens an account.
///
/// The e-mail address is to be proven before it can do much: until then others may sign up with it too,
/// and who proves it keeps it. Drivers sign up with the driver service.
#[utoipa::path(
    post, path = "/api/v1/users", tag = "user",
    params(("Idempotency-Key" = Option<String>, Header, description = "Sent again, it gets the first answer again.")),
    request_body = Registration,
    responses(
        (status = 201, description = "The account is open.", body = UserAnswer),
        BadBody,
        (status = 409, description = "The e-mail address has an account that is proven.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "Fields are missing or wrong.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many accounts were opened from the same network.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 503, description = "Too many are signing up at once.",
            body = ProblemBody, content_type = "application/problem+json"),
    ),
    extensions(("x-roles" = json!(["*"])))
)]
pub(crate) async fn register(
    extract::State(state): extract::State<State>,
    context: RequestContext,
    key: IdempotencyKey,
    Json(body): Json<Registration>,
) -> Result<Response, Problem> {
    let role = body.role()?;
    let applicant = body.check()?;
    let owner = owner_of_key(&applicant.email);
    count(&state, context.network).await?;
    // The turn comes first: who holds the address hashes without waiting for one.
    let turn = state.passwords.turn().await?;
    let mut tx = state.pool.begin().await?;
    sign_ups::hold(&mut tx, &applicant.email).await?;
    let form = body.without_password();
    if let Some(answer) = key.first_answer(&mut tx, owner, OPERATION, &form).await? {
        let known = store::of_address(&mut tx, &applicant.email).await?;
        drop(tx);
        // The first answer is for the first form, and the password is part of it.
        let same = sign_ups::opened_by(turn, &applicant.password, known).await?;
        return same.map(|_| answer).ok_or_else(|| {
            Problem::unprocessable("This Idempotency-Key was used for another request.")
        });
    }
    let id = UserId(state.clock.new_id());
    let opened = sign_ups::open(&mut tx, &state.clock, turn, applicant, id, role).await?;
    let answer = UserAnswer::new("Registration Successfully", opened.user);
    let response = key
        .keep(
            &mut tx,
            owner,
            OPERATION,
            &form,
            StatusCode::CREATED,
            &answer,
        )
        .await?;
    tx.commit().await?;
    revoke(&state, &opened.ended);
    Ok(response)
}

/// Counts a sign-up with any result: each reveals whether an address has an account.
pub(super) async fn count(state: &State, network: Option<IpAddr>) -> Result<(), Problem> {
    let Some(network) = network else {
        return Ok(());
    };
    let limit = Limit {
        most: state.config.sign_ups,
        window: Duration::HOUR,
    };
    let key = format!("sign-ups:{network}");
    if let Some(wait) = state.limits.take(&key, limit).await? {
        let message = "Too many accounts were opened from your network. Please try again later.";
        return Err(Problem::too_many(message, wait.unsigned_abs()));
    }
    Ok(())
}

/// Refuses the tokens of accounts that have ended, here before others hear of it.
pub(super) fn revoke(state: &State, ended: &[UserId]) {
    let now = state.clock.now();
    for id in ended {
        state.verifier.revocations().revoke(*id, now);
    }
}
