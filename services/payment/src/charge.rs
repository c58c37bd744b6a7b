//! A payment from the wish to the answer: intent, provider, outcome. Nothing is open in the database
//! while the provider is asked.

use std::time::Duration as Pause;

use sqlx::PgConnection;
use tiffin_bus::Cause;
use tiffin_events::{Money, OrderId, PaymentId, UserId};
use time::Duration;
use tracing::Instrument;

use crate::{
    error::Error,
    payment::{Payment, Refusal, Status},
    provider::{Charge, Means, Outcome},
    state::State,
    store::{self, orders, payments, shares},
};

/// How long the provider may take to answer.
const ANSWERS_WITHIN: Pause = Pause::from_secs(10);
/// When the reconciler looks at an intent of which nothing was heard: its process must be gone.
const GIVEN_UP_AFTER: Duration = Duration::seconds(60);
/// When the reconciler asks a provider that has not answered.
const ASKED_AGAIN_AFTER: Duration = Duration::seconds(2);
/// How often, and in which pauses, an order is looked for whose events may still be on their way.
const LOOKS: (u32, Pause) = (5, Pause::from_millis(100));
/// How often, and in which pauses, a twin request is waited for.
const TWIN_LOOKS: (u32, Pause) = (120, Pause::from_millis(100));

/// What a customer asks for.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The order's `_id` or `orderId`.
    pub booking: String,
    /// What the client believes is to pay.
    pub amount: Money,
    pub means: Means,
    /// The request's idempotency key.
    pub key: Option<String>,
}

/// A wish, once it is written down.
#[derive(Debug)]
enum Begun {
    Ours(Box<Payment>),
    /// A request with the same key and body is, or was, at it.
    Twins(PaymentId),
}

/// Pays an order. Returns the payment as it is then: `pending` where the provider did not answer.
pub async fn pay(
    state: &State,
    customer: UserId,
    cause: Cause,
    wish: Wish,
) -> Result<Payment, Error> {
    let mut looks = 0;
    let begun = loop {
        match begin(state, customer, &wish).await {
            Err(error) if error.may_pass() && looks < LOOKS.0 => {
                looks += 1;
                tokio::time::sleep(LOOKS.1).await;
            }
            begun => break begun?,
        }
    };
    match begun {
        Begun::Ours(payment) => charge(state.clone(), cause, *payment, wish.means).await,
        Begun::Twins(id) => outcome_of(state, id).await,
    }
}

/// Commits the intent, or says why not. One payment of a checkout at a time comes through here.
async fn begin(state: &State, customer: UserId, wish: &Wish) -> Result<Begun, Error> {
    let mut tx = state.pool.begin().await?;
    let order = orders::find(&mut tx, customer, &wish.booking)
        .await?
        .ok_or(Error::NotFound)?;
    let mut checkout = orders::hold_checkout(&mut tx, order.checkout_id).await?;
    let is_cancelled = checkout.is_cancelled(order.id);
    checkout.fix();
    let share = checkout.share(order.id).unwrap_or_default();
    let is_meant = checkout.is_meant(order.id, wish.amount);
    if let Some(twin) = standing(&mut tx, order.id, wish, is_meant, is_cancelled).await? {
        return Ok(Begun::Twins(twin));
    }
    if is_cancelled {
        return Err(Refusal::Cancelled.into());
    }
    if !is_meant {
        return Err(Refusal::Amount(share).into());
    }
    shares::save(&mut tx, order.checkout_id, &checkout).await?;
    let now = state.clock.now();
    let payment = Payment {
        id: PaymentId(state.clock.new_id()),
        order,
        amount: share,
        kind: wish.means.kind(),
        face: wish.means.face(),
        status: Status::Pending,
        decline_reason: None,
        request_key: wish.key.clone(),
        created_at: now,
        refund_cause: None,
        version: 0,
    };
    payments::insert(
        &mut tx,
        &payment,
        state.provider.name(),
        now + GIVEN_UP_AFTER,
    )
    .await?;
    tx.commit().await?;
    Ok(Begun::Ours(Box::new(payment)))
}

/// The payment that the order has already, if it is this wish's own.
async fn standing(
    tx: &mut PgConnection,
    order: OrderId,
    wish: &Wish,
    is_meant: bool,
    is_cancelled: bool,
) -> Result<Option<PaymentId>, Error> {
    let Some(payment) = payments::standing(tx, order).await? else {
        return Ok(None);
    };
    if wish.key.is_some() && wish.key == payment.request_key {
        let is_same =
            is_meant && payment.kind == wish.means.kind() && payment.face == wish.means.face();
        return if is_same {
            Ok(Some(payment.id))
        } else {
            Err(Refusal::KeyReused.into())
        };
    }
    Err(match payment.status {
        _ if is_cancelled => Refusal::Cancelled,
        Status::Pending => Refusal::UnderWay,
        _ => Refusal::AlreadyPaid,
    }
    .into())
}

/// Asks the provider and commits what it says, to the end even if the client hangs up.
async fn charge(
    state: State,
    cause: Cause,
    payment: Payment,
    means: Means,
) -> Result<Payment, Error> {
    let work = async move {
        let charge = Charge {
            key: payment.id.0,
            amount: payment.amount,
            means,
        };
        let answer = tokio::time::timeout(ANSWERS_WITHIN, state.provider.charge(charge)).await;
        match answer {
            Ok(Ok(outcome)) => record(&state, &cause, payment.id, &outcome).await,
            Ok(Err(error)) => wait_for_reconciler(&state, payment, error.to_string()).await,
            Err(elapsed) => wait_for_reconciler(&state, payment, elapsed.to_string()).await,
        }
    };
    tokio::spawn(work.in_current_span())
        .await
        .map_err(|error| Error::Broken(error.to_string()))?
}

async fn wait_for_reconciler(
    state: &State,
    payment: Payment,
    reason: String,
) -> Result<Payment, Error> {
    tracing::warn!(payment = %payment.id, reason, "a payment is left to the reconciler");
    let due_at = state.clock.now() + ASKED_AGAIN_AFTER;
    payments::hasten(&state.pool, payment.id, due_at).await?;
    Ok(payment)
}

/// Commits what the provider said.
pub async fn record(
    state: &State,
    cause: &Cause,
    id: PaymentId,
    outcome: &Outcome,
) -> Result<Payment, Error> {
    let mut tx = state.pool.begin().await?;
    let payment = store::change(&mut tx, &state.clock, cause, id, |payment, is_cancelled| {
        payment.record(outcome, is_cancelled)
    })
    .await?;
    tx.commit().await?;
    if payment.status == Status::Refunding {
        state.work_waits.notify_one();
    }
    if payment.status == Status::Declined && *outcome == Outcome::Captured {
        tracing::error!(payment = %id, "the provider took money that it said it had not");
    }
    Ok(payment)
}

/// A twin's payment, once it is settled or has been waited for long enough.
async fn outcome_of(state: &State, id: PaymentId) -> Result<Payment, Error> {
    let mut looks = 0;
    loop {
        let mut connection = state.pool.acquire().await?;
        let payment = payments::find(&mut connection, id)
            .await?
            .ok_or(Error::NotFound)?;
        drop(connection);
        if payment.status != Status::Pending || looks == TWIN_LOOKS.0 {
            return Ok(payment);
        }
        looks += 1;
        tokio::time::sleep(TWIN_LOOKS.1).await;
    }
}
