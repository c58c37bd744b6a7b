use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Caller, FieldErrors, IdempotencyKey, Json, Problem, Writes,
    refusal::{BadBody, BadField, BadKey, BadToken, BadValue, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::{Money, Role, payment::PaymentType};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::view::PaymentView;
use crate::{
    card::{self, BadCard, Card},
    charge::{self, PaymentRequest, Standing},
    limits,
    payment::{Refusal, Status},
    provider::{BadCardToken, CardToken, Means, Step, Stripe},
};

/// A payment of one order. It contains the card, so it has no `Debug` and is never written anywhere.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewPayment {
    /// The order's `orderId` or `_id`.
    #[schema(example = "ORD-7K3M9QX2")]
    booking_id: String,
    /// The amount that the client expects: the checkout's total divided by the number of its
    /// orders, rounded. After cancellations or payments it is the amount left to pay, divided by the number
    /// of orders that have not paid their share, or by the number of all live orders once each has paid. The
    /// server charges the share that it works out itself.
    #[schema(value_type = f64)]
    amount: Money,
    payment_type: PaymentType,
    /// 16 digits; spaces are ignored. This field and the next two are required only for a card.
    #[schema(write_only, example = "4242 4242 4242 4242")]
    card_number: Option<String>,
    /// `MM/YY`, not past.
    #[schema(write_only, example = "12/34")]
    expiry: Option<String>,
    /// 3 digits.
    #[schema(write_only, example = "123")]
    cvv: Option<String>,
    /// A card that the browser gave to the payment provider, instead of the three fields above: where the provider is
    /// Stripe, `tok_…`. It pays once.
    #[schema(write_only, example = "tok_visa", max_length = 100)]
    card_token: Option<String>,
}

/// The result of a payment.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentAnswer {
    message: &'static str,
    payment: PaymentView,
    /// Present if the customer is to confirm the payment at the bank. The payment provider's script takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    client_secret: Option<String>,
}

refused_by! {
    MakePaymentRefusals:
        BadBody, BadField, BadKey, BadToken, WrongCaller::{Role}, TooMany,
        BadValue::{AmountDecimals, AmountWhole, AmountThousandths, AmountTooLarge}, BadCard, Refusal,
}

/// Pays an order's share once, however often the request is repeated.
///
/// The orders of a checkout are paid once the captured money covers the prices of all that are not
/// cancelled.
///
/// A refusal releases the `Idempotency-Key`, so that another card may be tried with it.
#[utoipa::path(
    post,
    path = "/api/v1/payment",
    tag = "payment",
    params(("Idempotency-Key" = Option<String>, Header, description = "A repeated request with the same key and body gets the first answer again.")),
    request_body = NewPayment,
    responses(
        (status = 201, description = "The share is paid.", body = PaymentAnswer),
        (status = 202, description = "The provider has not answered yet, or waits for the customer to confirm the payment; it stays `pending` until it is settled.", body = PaymentAnswer),
        MakePaymentRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer"]))),
)]
pub async fn make_payment(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    IdempotencyKey(key): IdempotencyKey,
    Json(body): Json<NewPayment>,
) -> Result<Response, Problem> {
    caller.require(&[Role::Customer])?;
    writes.count(&limits::PAYMENTS, &caller).await?;
    let request = PaymentRequest {
        means: body.means(&state).await?,
        booking: body.booking_id,
        amount: body.amount,
        key,
    };
    let cause = crate::State::cause(&caller);
    answer(charge::pay(&state, caller.id, cause, request).await?)
}

pub(super) fn answer(standing: Standing) -> Result<Response, Problem> {
    let Standing { payment, step } = standing;
    if payment.is_refused() {
        return Err(Refusal::Declined.into());
    }
    let (status, message) = if payment.status == Status::Pending {
        (StatusCode::ACCEPTED, "The payment is being processed.")
    } else {
        (StatusCode::CREATED, "Payment successful")
    };
    let answer = PaymentAnswer {
        message,
        payment: payment.into(),
        client_secret: match step {
            Some(Step::Confirm(secret)) => Some(secret),
            Some(Step::Wait) | None => None,
        },
    };
    Ok((status, Json(answer)).into_response())
}

impl NewPayment {
    /// Checks the means of payment.
    async fn means(&self, state: &crate::State) -> Result<Means, Problem> {
        match (self.payment_type, &state.stripe) {
            (PaymentType::PayPal, _) => Ok(Means::PayPal),
            (PaymentType::BankTransfer, _) => Ok(Means::BankTransfer),
            (PaymentType::Card, None) => self.card(state.clock.now()),
            (PaymentType::Card, Some(stripe)) => self.card_at(stripe).await,
        }
    }

    /// A card that Stripe has. A number that was sent here all the same is not looked at.
    async fn card_at(&self, stripe: &Stripe) -> Result<Means, Problem> {
        let token = self.card_token.as_ref().ok_or(Refusal::NoCardToken)?;
        match stripe.card_of(token).await {
            Ok(summary) => Ok(Means::CardToken(CardToken::new(token.clone(), summary))),
            Err(BadCardToken::Unknown) => Err(Refusal::NoCardToken.into()),
            Err(BadCardToken::Unanswered(error)) => {
                tracing::warn!(%error, "a card's token can't be checked; nothing was charged");
                Err(Refusal::ProviderAway.into())
            }
        }
    }

    /// Checks a card's fields. All errors are reported together.
    fn card(&self, now: OffsetDateTime) -> Result<Means, Problem> {
        let text = |field: &Option<String>| field.clone().unwrap_or_default();
        let mut errors = FieldErrors::default();
        let number = errors.check("cardNumber", card::number(&text(&self.card_number)));
        let expiry = errors.check("expiry", card::expiry(&text(&self.expiry), now));
        let cvv = errors.check("cvv", card::cvv(&text(&self.cvv)));
        match (number, expiry, cvv) {
            (Some(number), Some(expiry), Some(cvv)) => {
                Ok(Means::Card(Card::new(number, expiry, cvv)))
            }
            _ => Err(errors.into_problem()),
        }
    }
}
