use axum::{
    extract::{FromRequestParts, State},
    http::{StatusCode, request::Parts},
    response::Response,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tiffin_chassis::{
    Caller, FieldErrors, IdempotencyKey, Json, OptionalCaller, Problem, Writes, idempotency,
    refusal::{BadBody, BadField, BadKey, BadToken, TooMany, WrongCaller},
    refusals, refused_by,
};
use tiffin_events::Role;
use utoipa::ToSchema;

use super::ReviewAnswer;
use crate::{
    error::Refusal,
    limits,
    restaurant::Actor,
    review::ReviewContent,
    rules::{self, BadInput},
    store::{items, reviews},
};

const OPERATION: &str = "submit_review";
const SUBMITTED: &str = "Your review was submitted. It is shown once it is approved.";

/// A customer's opinion of a dish.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewReview {
    /// The dish's `_id` or `itemId`.
    product_id: String,
    #[schema(minimum = 0, maximum = 5)]
    rating: i64,
    /// Up to 2,000 characters.
    #[serde(default)]
    comment: String,
    /// Not needed: whose dish it is, and what it and its restaurant are called, the server knows.
    owner_id: Option<Value>,
    restaurant_name: Option<Value>,
    item_name: Option<Value>,
}

refusals! {
    /// A review of an unknown author.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum NotSignedIn {
        Author = 401, "restaurant.review-needs-account", "Please log in to submit a review.";
    }
}

/// The author of a review: a customer, who is asked to log in first.
pub struct Author(Caller);

impl FromRequestParts<crate::State> for Author {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &crate::State) -> Result<Self, Problem> {
        let OptionalCaller(caller) = OptionalCaller::from_request_parts(parts, state).await?;
        let caller = caller.ok_or(NotSignedIn::Author)?;
        caller.require(&[Role::Customer])?;
        Ok(Self(caller))
    }
}

refused_by! {
    SubmitReviewRefusals:
        BadBody, BadField, BadKey, TooMany, BadToken, WrongCaller::{Role}, NotSignedIn,
        BadInput::{TextTooLong, Rating}, Refusal::{NoItem},
}

/// Reviews a dish. A customer's second review of it takes the first one's place, and waits for approval
/// again.
#[utoipa::path(
    post,
    path = "/api/v1/reviews",
    tag = "restaurant",
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the first answer again.")),
    request_body = NewReview,
    responses(
        (status = 200, description = "The review, in place of the caller's first one.", body = ReviewAnswer),
        (status = 201, description = "The review.", body = ReviewAnswer),
        SubmitReviewRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer"]))),
)]
pub async fn submit_review(
    State(state): State<crate::State>,
    Author(caller): Author,
    writes: Writes,
    key: IdempotencyKey,
    Json(body): Json<NewReview>,
) -> Result<Response, Problem> {
    let (actor, content) = (Actor::from(&caller), body.check()?);
    let counted = writes.count(&limits::REVIEWS, &caller).await;
    let mut tx = idempotency::begin(&state.pool, caller.id, OPERATION).await?;
    let first = key.first_answer(&mut tx, caller.id, OPERATION, &body);
    if let Some(answer) = first.await? {
        return Ok(answer);
    }
    // A repeated request gets its first answer even above the limit.
    counted?;
    let item = items::find(&mut tx, &body.product_id)
        .await?
        .filter(|item| item.is_visible_to(Some(actor)))
        .ok_or(Refusal::NoItem)?;
    let cause = crate::State::cause(&caller);
    let (id, is_new) =
        reviews::submit(&mut tx, &state.recorder, &cause, &item, caller.id, &content).await?;
    let answer = ReviewAnswer::new(&mut tx, SUBMITTED, actor, id).await?;
    let status = if is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    let answer = key
        .keep(&mut tx, caller.id, OPERATION, &body, status, &answer)
        .await?;
    tx.commit().await?;
    Ok(answer)
}

impl NewReview {
    /// Checks every field; 422 names all that are wrong.
    fn check(&self) -> Result<ReviewContent, Problem> {
        let mut errors = FieldErrors::default();
        let rating = errors.check("rating", rules::rating(self.rating));
        let comment = rules::optional_text("comment", 2_000)(self.comment.clone());
        match (rating, errors.check("comment", comment)) {
            (Some(rating), Some(comment)) => Ok(ReviewContent { rating, comment }),
            _ => Err(errors.into_problem()),
        }
    }
}
