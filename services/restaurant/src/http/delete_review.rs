use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Writes,
    refusal::{BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::Role;

use super::{Message, review_id};
use crate::{error::Refusal, limits, restaurant::Actor, review::Review};

refused_by! {
    DeleteReviewRefusals:
        BadPath, BadToken, WrongCaller::{Role}, TooMany, Refusal::{NoReview, NotYourReview},
}

/// Takes a review off all lists: its author's own, or any for an administrator.
#[utoipa::path(
    delete,
    path = "/api/v1/reviews/delete/{id}",
    tag = "restaurant",
    params(("id" = String, Path, description = "The review's `_id`.")),
    responses(
        (status = 200, description = "The review is deleted.", body = Message),
        DeleteReviewRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "admin"]))),
)]
pub async fn delete_review(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(id): Path<String>,
) -> Result<Json<Message>, Problem> {
    caller.require(&[Role::Customer, Role::Admin])?;
    let (actor, id) = (Actor::from(&caller), review_id(&id)?);
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let (cause, now) = (crate::State::cause(&caller), state.clock.now());
    tiffin_bus::change(
        &mut tx,
        &state.recorder,
        &cause,
        id,
        |review: &mut Review| {
            review.check_access(actor)?;
            review.delete(now)
        },
    )
    .await?;
    tx.commit().await?;
    Ok(Json(Message {
        message: "The review has been deleted.",
    }))
}
