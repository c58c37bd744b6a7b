use axum::extract::State;
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Json, Problem, Raw,
    refusal::{BadBody, Failure},
    refusals, refused_by,
};
use utoipa::ToSchema;

use crate::{payment::Refusal, provider::BadSignature, webhook};

const SIGNATURE: &str = "stripe-signature";

/// An event of Stripe. It has more members, which are asked for instead of trusted.
#[derive(Deserialize, ToSchema)]
#[expect(dead_code, reason = "the description of what `StripeEvent` reads")]
pub struct StripeWebhook {
    #[schema(example = "evt_1PgaBc")]
    id: String,
    #[serde(rename = "type")]
    #[schema(example = "payment_intent.succeeded")]
    kind: String,
    data: Object,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = StripeWebhookData)]
#[expect(dead_code, reason = "the description of what `StripeEvent` reads")]
pub struct Object {
    /// The intent, charge, refund or dispute.
    object: serde_json::Value,
}

/// The answer to a webhook. Stripe goes by the status alone.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookTaken {
    received: bool,
}

refusals! {
    /// The reason why there is no such webhook here.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum NoWebhook {
        NotSetUp = 404, "payment.stripe-not-set-up", "Payments by Stripe are not set up here.";
    }
}

refused_by! {
    TakeStripeEventRefusals:
        BadBody, BadSignature, NoWebhook, Refusal::{ProviderAway}, Failure::{NotReady},
}

/// Takes an event from Stripe: a payment has an outcome, money went back, a customer objects at their bank.
///
/// The header `Stripe-Signature` proves that Stripe sent it, not longer than five minutes ago. It takes effect once,
/// however often it comes; Stripe repeats it until the answer is a success.
#[utoipa::path(
    post,
    path = "/api/v1/payment/stripe/webhook",
    tag = "payment",
    params(("Stripe-Signature" = Option<String>, Header, description = "`t=` with seconds since 1970, and `v1=` with the HMAC-SHA-256 of `<t>.<body>` for each of the webhook's secrets.")),
    request_body = StripeWebhook,
    responses(
        (status = 200, description = "The event need not be sent again.", body = WebhookTaken),
        TakeStripeEventRefusals,
    ),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn take_stripe_event(
    State(state): State<crate::State>,
    headers: HeaderMap,
    Raw(body): Raw,
) -> Result<Json<WebhookTaken>, Problem> {
    let stripe = state.stripe.as_ref().ok_or(NoWebhook::NotSetUp)?;
    let signature = headers.get(SIGNATURE).and_then(|value| value.to_str().ok());
    let signature = signature.ok_or(BadSignature::Unsigned)?;
    let event = stripe.read_event(signature, &body, state.clock.now())?;
    if let Some(event) = event {
        webhook::take(&state, stripe, &event).await?;
    }
    Ok(Json(WebhookTaken { received: true }))
}
