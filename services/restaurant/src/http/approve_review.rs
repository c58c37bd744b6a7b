use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Writes,
    refusal::{BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::Role;

use super::{ReviewAnswer, review_id};
use crate::{error::Refusal, limits, restaurant::Actor, review::Review};

refused_by! {
    ApproveReviewRefusals:
        BadPath, BadToken, WrongCaller::{Role}, TooMany, Refusal::{NoReview},
}

/// Lets a review be shown to everybody, and count. Approving it again changes nothing.
#[utoipa::path(
    put,
    path = "/api/v1/reviews/approve/{id}",
    tag = "restaurant",
    params(("id" = String, Path, description = "The review's `_id`.")),
    responses(
        (status = 200, description = "The review, approved.", body = ReviewAnswer),
        ApproveReviewRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["admin"]))),
)]
pub async fn approve_review(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(id): Path<String>,
) -> Result<Json<ReviewAnswer>, Problem> {
    caller.require(&[Role::Admin])?;
    let id = review_id(&id)?;
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let cause = crate::State::cause(&caller);
    tiffin_bus::change(&mut tx, &state.recorder, &cause, id, Review::approve).await?;
    let message = "Review approved successfully";
    let answer = ReviewAnswer::new(&mut tx, message, Actor::from(&caller), id).await?;
    tx.commit().await?;
    Ok(Json(answer))
}
