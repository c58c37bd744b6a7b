//! A payment from the request to the answer: intent, provider, outcome. No transaction is open while the
//! provider is asked.

use std::time::Duration as StdDuration;

use tiffin_bus::Cause;
use tiffin_events::{Money, OrderId, PaymentId, UserId};
use time::Duration;
use tracing::Instrument;

use crate::{
    checkout::Checkout,
    error::Error,
    payment::{Payment, Refusal, Status},
    provider::{Charge, Means, Outcome, Step},
    state::State,
    store::{self, checkouts, orders, payments},
};

/// The time-out of the provider's answer.
const REPLY_TIMEOUT: StdDuration = StdDuration::from_secs(10);
/// The time after which the reconciler settles an intent without an outcome, because its process must be
/// gone.
const SETTLE_AFTER: Duration = Duration::seconds(60);
/// The time after which the reconciler asks a provider that has not answered.
const RETRY_AFTER: Duration = Duration::seconds(2);
/// The time that a customer has for confirming a payment at the bank.
const CONFIRM_WITHIN: Duration = Duration::minutes(20);
/// The polls between two looks at the provider, for the outcome of a request with the same key.
const POLLS_A_LOOK: u32 = 10;
/// The attempts, and the pause between them, to find an order whose events may still be on their way.
const ORDER_POLLS: (u32, StdDuration) = (5, StdDuration::from_millis(100));
/// The attempts, and the pause between them, to see the outcome of a request with the same key.
const OUTCOME_POLLS: (u32, StdDuration) = (120, StdDuration::from_millis(100));

/// A customer's request to pay an order.
#[derive(Clone, Debug)]
pub struct PaymentRequest {
    /// The order's `_id` or `orderId`.
    pub booking: String,
    /// The amount that the client shows.
    pub amount: Money,
    pub means: Means,
    /// The request's idempotency key.
    pub key: Option<String>,
}

/// A payment, and what is to be done if it is open.
#[derive(Clone, Debug)]
pub struct Standing {
    pub payment: Payment,
    pub step: Option<Step>,
}

/// The intent of a request, once it is saved.
#[derive(Debug)]
enum Intent {
    New(Box<Payment>),
    /// The payment of another request with the same key and body.
    Existing(PaymentId),
}

/// Pays an order and returns the payment, which is `pending` if the provider did not answer.
pub async fn pay(
    state: &State,
    customer: UserId,
    cause: Cause,
    request: PaymentRequest,
) -> Result<Standing, Error> {
    let mut polls = 0;
    let intent = loop {
        match begin(state, customer, &request).await {
            Err(error) if error.is_temporary() && polls < ORDER_POLLS.0 => {
                polls += 1;
                tokio::time::sleep(ORDER_POLLS.1).await;
            }
            intent => break intent?,
        }
    };
    match intent {
        Intent::New(payment) => charge(state.clone(), cause, *payment, request.means).await,
        Intent::Existing(id) => outcome_of(state, &cause, id).await,
    }
}

/// Commits the intent, or refuses it. The locks of the checkout let one payment at a time through.
async fn begin(state: &State, customer: UserId, request: &PaymentRequest) -> Result<Intent, Error> {
    if !state.provider.takes(request.means.kind()) {
        return Err(Refusal::MeansNotTaken.into());
    }
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let order = orders::find(&mut tx, customer, &request.booking)
        .await?
        .ok_or(Refusal::NotFound)?;
    let checkout = checkouts::lock(&mut tx, order.checkout_id).await?;
    if let Some(id) = same_request(&checkout, order.id, request)? {
        return Ok(Intent::Existing(id));
    }
    let Some(share) = checkout.share(order.id) else {
        return Err(checkout.refusal(order.id).into());
    };
    if !checkout.matches_share(share, request.amount) {
        return Err(Refusal::Amount { amount: share }.into());
    }
    let round = checkout.round(order.id);
    let now = state.clock.now();
    let payment = Payment {
        id: PaymentId(state.clock.new_id()),
        order,
        amount: share,
        to_refund: Money::ZERO,
        refunded: Money::ZERO,
        kind: request.means.kind(),
        card: request.means.summary(),
        status: Status::Pending,
        decline_reason: None,
        request_key: request.key.clone(),
        created_at: now,
        dispute: None,
        refund_cause: None,
        sequence: 0,
    };
    payments::insert(
        &mut tx,
        &payment,
        round,
        state.provider.name(),
        now + SETTLE_AFTER,
    )
    .await?;
    tx.commit().await?;
    Ok(Intent::New(Box::new(payment)))
}

/// The payment of the order that a request with the same key made, if there is one.
fn same_request(
    checkout: &Checkout,
    order: OrderId,
    request: &PaymentRequest,
) -> Result<Option<PaymentId>, Refusal> {
    let Some(key) = &request.key else {
        return Ok(None);
    };
    let existing = checkout.payments().iter().find(|payment| {
        payment.order.id == order
            && !payment.is_refused()
            && payment.request_key.as_ref() == Some(key)
    });
    let Some(existing) = existing else {
        return Ok(None);
    };
    let is_same = checkout.matches_share(existing.amount, request.amount)
        && existing.kind == request.means.kind()
        && existing.card == request.means.summary();
    if is_same {
        Ok(Some(existing.id))
    } else {
        Err(Refusal::KeyReused)
    }
}

/// Asks the provider and commits its outcome, even if the client disconnects meanwhile.
async fn charge(
    state: State,
    cause: Cause,
    payment: Payment,
    means: Means,
) -> Result<Standing, Error> {
    let work = async move {
        let charge = Charge {
            key: payment.id.0,
            amount: payment.amount,
            means,
        };
        let answer = tokio::time::timeout(REPLY_TIMEOUT, state.provider.charge(charge)).await;
        match answer {
            Ok(Ok(outcome)) => follow(&state, &cause, payment, outcome).await,
            Ok(Err(error)) => wait_for_reconciler(&state, payment, error.to_string()).await,
            Err(elapsed) => wait_for_reconciler(&state, payment, elapsed.to_string()).await,
        }
    };
    tokio::spawn(work.in_current_span())
        .await
        .map_err(|error| Error::Interrupted(error.to_string()))?
}

async fn wait_for_reconciler(
    state: &State,
    payment: Payment,
    reason: String,
) -> Result<Standing, Error> {
    tracing::warn!(payment = %payment.id, reason, "a payment is left to the reconciler");
    let due_at = state.clock.now() + RETRY_AFTER;
    payments::set_due(&state.pool, payment.id, due_at).await?;
    Ok(payment.into())
}

/// Commits an outcome that is final. The reconciler settles a payment that is open: soon, or once the customer's time
/// for confirming it is over.
async fn follow(
    state: &State,
    cause: &Cause,
    payment: Payment,
    outcome: Outcome,
) -> Result<Standing, Error> {
    let Outcome::Open(step) = outcome else {
        return Ok(record(state, cause, &payment, &outcome).await?.into());
    };
    let due_at = match &step {
        Step::Confirm(_) => payment.created_at + CONFIRM_WITHIN,
        Step::Wait => state.clock.now() + RETRY_AFTER,
    };
    payments::set_due(&state.pool, payment.id, due_at).await?;
    Ok(Standing {
        payment,
        step: Some(step),
    })
}

/// Asks the provider about a customer's pending payment. One that is `given_up` takes nothing any more, unless it has.
pub async fn check(
    state: &State,
    customer: UserId,
    cause: &Cause,
    id: PaymentId,
    given_up: bool,
) -> Result<Standing, Error> {
    let mut connection = state.pool.acquire().await?;
    let payment = payments::find(&mut connection, id).await?;
    drop(connection);
    let payment = payment.filter(|payment| payment.order.customer_id == customer);
    let payment = payment.ok_or(Refusal::NoPayment)?;
    if payment.status != Status::Pending {
        return Ok(payment.into());
    }
    let key = payment.id.0;
    let asked = if given_up {
        state.provider.settle(key)
    } else {
        state.provider.look(key)
    };
    match tokio::time::timeout(REPLY_TIMEOUT, asked).await {
        // The request that began it, or the reconciler, is to hear from the provider.
        Ok(Ok(Outcome::Open(Step::Wait))) => Ok(payment.into()),
        Ok(Ok(outcome)) => follow(state, cause, payment, outcome).await,
        Ok(Err(_)) | Err(_) => Err(Refusal::ProviderAway.into()),
    }
}

/// Commits the provider's outcome.
pub async fn record(
    state: &State,
    cause: &Cause,
    asked: &Payment,
    outcome: &Outcome,
) -> Result<Payment, Error> {
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let id = asked.order.checkout_id;
    let checkout = store::change(&mut tx, &state.recorder, cause, id, |checkout| {
        checkout.record(asked.id, outcome, cause)
    })
    .await?;
    tx.commit().await?;
    let mut all = checkout.payments().iter();
    if all.any(|payment| payment.status == Status::Refunding) {
        state.work_waits.notify_one();
    }
    let payment = checkout.payment(asked.id).ok_or(Refusal::NotFound)?;
    if payment.is_refused() && *outcome == Outcome::Captured {
        tracing::warn!(payment = %payment.id, "the provider took money after it refused; the money is refunded");
    }
    Ok(payment.clone())
}

/// Waits for the outcome of another request's payment, for a limited time, and returns the payment.
async fn outcome_of(state: &State, cause: &Cause, id: PaymentId) -> Result<Standing, Error> {
    let mut polls = 0;
    loop {
        let mut connection = state.pool.acquire().await?;
        let payment = payments::find(&mut connection, id)
            .await?
            .ok_or(Refusal::NotFound)?;
        drop(connection);
        if payment.status != Status::Pending || polls == OUTCOME_POLLS.0 {
            return Ok(payment.into());
        }
        if polls % POLLS_A_LOOK == POLLS_A_LOOK / 2 {
            let asked = state.provider.look(payment.id.0);
            if let Ok(Ok(outcome)) = tokio::time::timeout(REPLY_TIMEOUT, asked).await
                && outcome != Outcome::Open(Step::Wait)
            {
                return follow(state, cause, payment, outcome).await;
            }
        }
        polls += 1;
        tokio::time::sleep(OUTCOME_POLLS.1).await;
    }
}

impl From<Payment> for Standing {
    fn from(payment: Payment) -> Self {
        Self {
            payment,
            step: None,
        }
    }
}
