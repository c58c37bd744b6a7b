use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Writes,
    documented::{BadToken, TooMany},
    problem::ProblemBody,
};
use tiffin_events::Role;

use super::{Message, review_id};
use crate::{limits, restaurant::Actor, review::Review};

/// Takes a review off all lists: its author's own, or any for an administrator.
#[utoipa::path(
    delete,
    path = "/api/v1/reviews/delete/{id}",
    tag = "restaurant",
    params(("id" = String, Path, description = "The review's `_id`.")),
    responses(
        (status = 200, description = "It is gone.", body = Message),
        BadToken,
        TooMany,
        (
            status = 403,
            description = "The caller is neither its author nor an administrator.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
        (
            status = 404,
            description = "There is no such review, or none that the caller may see.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
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
    let mut tx = state.pool.begin().await?;
    let (cause, now) = (crate::State::cause(&caller), state.clock.now());
    tiffin_bus::change(&mut tx, &state.clock, &cause, id, |review: &mut Review| {
        review.must_obey(actor)?;
        review.delete(now)
    })
    .await?;
    tx.commit().await?;
    Ok(Json(Message {
        message: "The review has been deleted.",
    }))
}
