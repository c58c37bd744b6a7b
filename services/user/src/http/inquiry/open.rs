use axum::{extract, response::Response};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use tiffin_bus::Cause;
use tiffin_chassis::{
    Caller, IdempotencyKey, Json, Problem, Writes, idempotency,
    refusal::{BadBody, BadField, BadKey, BadToken, TooMany},
    refused_by, telemetry,
};
use tiffin_events::InquiryId;
use utoipa::ToSchema;

use super::InquiryAnswer;
use crate::{
    Error, State,
    inquiry::Inquiry,
    inquiry::InquiryRefusal,
    limits,
    rules::{self, BadText},
    store::inquiries,
    user::Refusal,
};

const OPERATION: &str = "open_inquiry";

/// A question to the administrators.
#[derive(Default, Deserialize, Serialize, ToSchema)]
#[serde(default)]
pub(crate) struct NewInquiry {
    #[schema(required)]
    message: String,
}

refused_by! {
    OpenInquiryRefusals:
        BadBody, BadField, BadKey, BadToken, TooMany, BadText::{NoQuestion, TooLong},
        Refusal::{Unknown}, InquiryRefusal::{Unknown},
}

/// Asks the administrators something.
#[utoipa::path(
    post, path = "/api/v1/inquiry", tag = "user", security(("bearer" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "Sent again, it gets the first answer again.")),
    request_body = NewInquiry,
    responses(
        (status = 201, description = "The administrators see it now.", body = InquiryAnswer),
        OpenInquiryRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn open_inquiry(
    extract::State(state): extract::State<State>,
    caller: Caller,
    writes: Writes,
    key: IdempotencyKey,
    Json(body): Json<NewInquiry>,
) -> Result<Response, Problem> {
    let message = rules::writing(&body.message, BadText::NoQuestion)
        .map_err(|fault| Problem::from(fault).at("message"))?;
    let counted = writes.count(&limits::INQUIRIES, &caller).await;
    let mut tx = idempotency::begin(&state.pool, caller.id, OPERATION).await?;
    if let Some(answer) = key
        .first_answer(&mut tx, caller.id, OPERATION, &body)
        .await?
    {
        return Ok(answer);
    }
    // A repeated request gets its first answer even above the limit.
    counted?;
    crate::store::lock_shared(&mut tx, caller.id)
        .await?
        .ok_or(Error::from(Refusal::Unknown))?;
    let id = InquiryId(state.clock.new_id());
    let (inquiry, event) = Inquiry::open(id, caller.id, message, state.clock.now());
    let cause = Cause::user(caller.id, telemetry::traceparent());
    inquiries::insert(&mut tx, &state.recorder, &cause, &inquiry, event).await?;
    let found = inquiries::find(&mut tx, id)
        .await?
        .ok_or(Error::from(InquiryRefusal::Unknown))?;
    let answer = InquiryAnswer::new("Inquiry sent", found);
    let response = key
        .keep(
            &mut tx,
            caller.id,
            OPERATION,
            &body,
            StatusCode::CREATED,
            &answer,
        )
        .await?;
    tx.commit().await?;
    Ok(response)
}
