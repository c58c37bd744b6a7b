use std::net::IpAddr;

use axum::{extract, response::Response};
use http::StatusCode;
use sha2::{Digest, Sha256};
use tiffin_bus::Cause;
use tiffin_chassis::{
    IdempotencyKey, Json, Limit, Problem, documented::BadBody, problem::ProblemBody, telemetry,
};
use tiffin_events::UserId;
use time::Duration;
use uuid::Uuid;

use super::{
    answers::UserAnswer,
    registration::{Applicant, Registration},
    visitor::Visitor,
};
use crate::{State, store, user::User};

const OPERATION: &str = "register";

/// Opens an account.
///
/// The e-mail address is to be proven before it can do much; drivers sign up with the driver service.
#[utoipa::path(
    post, path = "/api/v1/users", tag = "user",
    params(("Idempotency-Key" = Option<String>, Header, description = "Sent again, it gets the first answer again.")),
    request_body = Registration,
    responses(
        (status = 201, description = "The account is open.", body = UserAnswer),
        BadBody,
        (status = 409, description = "The e-mail address has an account.",
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
    visitor: Visitor,
    key: IdempotencyKey,
    Json(body): Json<Registration>,
) -> Result<Response, Problem> {
    let role = body.role()?;
    let applicant = body.check()?;
    let owner = owner_of_key(&applicant.email);
    count(&state, visitor.network).await?;
    let hash = state.passwords.hash(&applicant.password).await?;
    let mut tx = state.pool.begin().await?;
    let form = body.without_password();
    if let Some(answer) = key.first_answer(&mut tx, owner, OPERATION, &form).await? {
        drop(tx);
        return require_same_password(&state, &applicant)
            .await
            .map(|()| answer);
    }
    let id = UserId(state.clock.new_id());
    let (user, event) = User::register(applicant.into_user(id, role, hash));
    let cause = Cause::user(id, telemetry::traceparent());
    store::insert(&mut tx, &state.clock, &cause, &user, event).await?;
    let answer = UserAnswer::new("Registration Successfully", user);
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
    Ok(response)
}

/// Counts a sign-up, whatever comes of it: that an address has an account is told once for each.
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

/// The first answer is for the first form, and the password is part of it.
async fn require_same_password(state: &State, applicant: &Applicant) -> Result<(), Problem> {
    let mut conn = state.pool.acquire().await?;
    let account = store::find_by_email(&mut conn, &applicant.email).await?;
    drop(conn);
    let hash = account.and_then(|account| account.password());
    if state.passwords.verify(&applicant.password, hash).await? {
        Ok(())
    } else {
        Err(Problem::unprocessable(
            "This Idempotency-Key was used for another request.",
        ))
    }
}

/// Nobody is signed in yet: a key belongs to the e-mail address that it comes with.
pub(crate) fn owner_of_key(email: &str) -> UserId {
    let digest: [u8; 32] = Sha256::digest(email).into();
    UserId(Uuid::from_u128(
        digest[..16]
            .iter()
            .fold(0, |id, byte| id << 8 | u128::from(*byte)),
    ))
}
