use axum::extract;
use serde::Deserialize;
use tiffin_bus::Cause;
use tiffin_chassis::{
    Caller, FieldErrors, Json, Path, Problem, Writes,
    refusal::{BadBody, BadField, BadPath, BadToken, TooMany},
    refused_by, telemetry,
};
use tiffin_events::InquiryId;
use utoipa::ToSchema;

use super::{InquiryAnswer, reader};
use crate::{
    Error, State,
    inquiry::{Edit, Inquiry, InquiryRefusal},
    limits,
    rules::{self, BadText},
    store::inquiries,
};

/// New words: the author's `message`, an administrator's `response`. What is left out stays.
#[derive(Deserialize, ToSchema)]
pub(crate) struct InquiryChange {
    message: Option<String>,
    response: Option<String>,
}

impl InquiryChange {
    /// 422 where a text is empty or too long, or there is none at all.
    fn check(self, is_admin: bool) -> Result<Edit, Problem> {
        if self.message.is_none() && self.response.is_none() {
            let (field, fault) = if is_admin {
                ("response", BadText::NoResponse)
            } else {
                ("message", BadText::NoMessage)
            };
            return Err(Problem::from(fault).at(field));
        }
        let mut errors = FieldErrors::default();
        let message = errors.check_given("message", self.message, |text: String| {
            rules::writing(&text, BadText::NoMessage)
        });
        let response = errors.check_given("response", self.response, |text: String| {
            rules::writing(&text, BadText::NoResponse)
        });
        match (message, response) {
            (Some(message), Some(response)) => Ok(Edit { message, response }),
            _ => Err(errors.into_problem()),
        }
    }
}

refused_by! {
    ChangeInquiryRefusals:
        BadBody, BadField, BadPath, BadToken, TooMany, BadText::{NoMessage, NoResponse, TooLong},
        InquiryRefusal,
}

/// Puts an inquiry in other words, which its author may, or answers it, which administrators may.
#[utoipa::path(
    put, path = "/api/v1/inquiry/{id}", tag = "user", security(("bearer" = [])),
    params(("id" = InquiryId, Path, description = "The inquiry's id.")), request_body = InquiryChange,
    responses(
        (status = 200, description = "The inquiry as it is now.", body = InquiryAnswer),
        ChangeInquiryRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn change_inquiry(
    extract::State(state): extract::State<State>,
    caller: Caller,
    writes: Writes,
    Path(id): Path<InquiryId>,
    Json(body): Json<InquiryChange>,
) -> Result<Json<InquiryAnswer>, Problem> {
    let edit = body.check(caller.is_admin())?;
    let by = reader(&caller);
    let now = state.clock.now();
    let cause = Cause::user(caller.id, telemetry::traceparent());
    writes.count(&limits::INQUIRY_CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    tiffin_bus::change(
        &mut tx,
        &state.recorder,
        &cause,
        id,
        |inquiry: &mut Inquiry| inquiry.edit(by, edit, now),
    )
    .await?;
    let found = inquiries::find(&mut tx, id)
        .await?
        .ok_or(Error::from(InquiryRefusal::Unknown))?;
    tx.commit().await?;
    Ok(Json(InquiryAnswer::new("Inquiry updated", found)))
}
