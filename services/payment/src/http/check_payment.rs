use axum::{extract::State, response::Response};
use serde::Deserialize;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Writes,
    refusal::{BadBody, BadField, BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::{PaymentId, Role};
use utoipa::ToSchema;
use uuid::Uuid;

use super::make_payment::{PaymentAnswer, answer};
use crate::{charge, limits, payment::Refusal};

/// A question about a payment that is pending.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentCheck {
    /// True if the customer does not go on with it. Nothing is taken any more, unless it was taken already; the order
    /// may be paid in another way then.
    #[serde(default)]
    give_up: bool,
}

refused_by! {
    CheckPaymentRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{Role}, TooMany,
        Refusal::{NoPayment, Declined, ProviderAway},
}

/// Asks the payment provider about a pending payment: after the customer confirmed it at the bank, or when the page is
/// opened again.
#[utoipa::path(
    post,
    path = "/api/v1/payment/check/{paymentId}",
    tag = "payment",
    params(("paymentId" = Uuid, Path, description = "The payment's `_id`.")),
    request_body = Option<PaymentCheck>,
    responses(
        (status = 201, description = "The share is paid.", body = PaymentAnswer),
        (status = 202, description = "The payment is still pending: the customer is to confirm it, if there is a `clientSecret`.", body = PaymentAnswer),
        CheckPaymentRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer"]))),
)]
pub async fn check_payment(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(id): Path<Uuid>,
    body: Option<Json<PaymentCheck>>,
) -> Result<Response, Problem> {
    caller.require(&[Role::Customer])?;
    writes.count(&limits::CHECKS, &caller).await?;
    let given_up = body.is_some_and(|Json(check)| check.give_up);
    let cause = crate::State::cause(&caller);
    answer(charge::check(&state, caller.id, &cause, PaymentId(id), given_up).await?)
}
