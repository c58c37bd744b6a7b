use axum::extract;
use tiffin_bus::Cause;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Writes,
    refusal::{BadPath, BadToken, TooMany},
    refused_by, telemetry,
};
use tiffin_events::InquiryId;

use super::reader;
use crate::{State, http::answers::Message, inquiry::InquiryRefusal, limits, store::inquiries};

refused_by! {
    DeleteInquiryRefusals:
        BadPath, BadToken, TooMany, InquiryRefusal::{Unknown},
}

/// Deletes an inquiry: the caller's own, or any by an administrator.
#[utoipa::path(
    delete, path = "/api/v1/inquiry/{id}", tag = "user", security(("bearer" = [])),
    params(("id" = InquiryId, Path, description = "The inquiry's id.")),
    responses(
        (status = 200, description = "The inquiry is deleted.", body = Message),
        DeleteInquiryRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn delete_inquiry(
    extract::State(state): extract::State<State>,
    caller: Caller,
    writes: Writes,
    Path(id): Path<InquiryId>,
) -> Result<Json<Message>, Problem> {
    let by = reader(&caller);
    let cause = Cause::user(caller.id, telemetry::traceparent());
    writes.count(&limits::INQUIRY_CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    inquiries::remove(&mut tx, &state.recorder, &cause, id, |inquiry| {
        inquiry.delete(by)
    })
    .await?;
    tx.commit().await?;
    Ok(Message::new("Inquiry has been deleted."))
}
