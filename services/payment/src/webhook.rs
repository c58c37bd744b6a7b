//! Events of Stripe's webhooks. One says only which `PaymentIntent` to ask for: whatever its body says, however late and
//! in whatever order it comes, the answer to that question counts.

use tiffin_bus::Cause;
use tiffin_events::PaymentId;

use crate::{
    NAME, State, charge,
    error::Error,
    payment::Refusal,
    provider::{Outcome, Stripe, StripeEvent},
    store::{self, payments},
};

/// Gives an event its effect, once.
pub async fn take(state: &State, stripe: &Stripe, event: &StripeEvent) -> Result<(), Error> {
    if stripe.knows_event(&event.id).await? {
        return Ok(());
    }
    apply(state, stripe, event).await?;
    stripe.remember_event(&event.id, state.clock.now()).await?;
    Ok(())
}

async fn apply(state: &State, stripe: &Stripe, event: &StripeEvent) -> Result<(), Error> {
    let observed = stripe.observe(event).await.map_err(|error| {
        tracing::warn!(event = event.id, %error, "a webhook waits for Stripe's next attempt");
        Refusal::ProviderAway
    })?;
    let Some(observed) = observed else {
        return Ok(());
    };
    let id = PaymentId(observed.key);
    let mut connection = state.pool.acquire().await?;
    let payment = payments::find(&mut connection, id).await?;
    drop(connection);
    let Some(payment) = payment else {
        tracing::warn!(payment = %id, event = event.id, "a webhook is about a payment that is not here");
        return Ok(());
    };
    let cause = Cause::service(NAME);
    if !matches!(observed.outcome, Outcome::Open(_)) {
        if observed.outcome == Outcome::Captured && observed.amount != payment.amount {
            tracing::error!(payment = %id, event = event.id, "Stripe took another amount than was asked for");
            return Ok(());
        }
        charge::record(state, &cause, &payment, &observed.outcome).await?;
    }
    let checkout = payment.order.checkout_id;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    store::change(&mut tx, &state.recorder, &cause, checkout, |checkout| {
        checkout.observed(id, observed.given_back, observed.dispute)
    })
    .await?;
    tx.commit().await?;
    Ok(())
}
