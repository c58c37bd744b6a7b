//! The worker that settles open payments, whose provider did not answer or whose process ended, and makes
//! refunds. It asks the provider again until each has an outcome.

use std::time::Duration as StdDuration;

use tiffin_bus::{Cause, fault};
use tiffin_chassis::repeat::{COMMIT_PAUSE, repeat_or_notified};
use tokio_util::sync::CancellationToken;

use crate::{
    NAME, State, charge,
    error::Error,
    payment::{Payment, Status},
    provider::{Outcome, Unanswered},
    store::{self, payments},
};

/// The interval of the worker's rounds when it isn't woken.
const POLL_INTERVAL: StdDuration = StdDuration::from_secs(2);
/// The time-out of the provider's answer.
const REPLY_TIMEOUT: StdDuration = StdDuration::from_secs(10);

/// Settles payments and refunds that are due until `shutdown`.
pub(crate) async fn run(state: &State, shutdown: &CancellationToken) {
    let woken = (&*state.work_waits, COMMIT_PAUSE);
    repeat_or_notified(POLL_INTERVAL, woken, shutdown, || async {
        if let Err(error) = settle_due(state).await {
            tracing::warn!(%error, "open payments can't be read; trying again");
        }
    })
    .await;
}

/// Tries everything that is due once, and returns the number of payments that are settled or refunded.
pub async fn settle_due(state: &State) -> Result<usize, Error> {
    let mut settled = 0;
    while let Some(id) =
        payments::claim(&state.pool, state.provider.name(), state.clock.now()).await?
    {
        let mut connection = state.pool.acquire().await?;
        let payment = payments::find(&mut connection, id).await?;
        drop(connection);
        let Some(payment) = payment else { continue };
        match settle(state, &payment).await? {
            Ok(()) => settled += 1,
            Err(error) => tracing::warn!(payment = %id, %error, "a payment stays open"),
        }
    }
    Ok(settled)
}

async fn settle(state: &State, payment: &Payment) -> Result<Result<(), Unanswered>, Error> {
    let key = payment.id.0;
    match payment.status {
        Status::Pending => match answer(state.provider.settle(key)).await {
            Ok(Outcome::Open(_)) => {
                return Ok(Err(Unanswered("the payment is under way there".to_owned())));
            }
            Ok(outcome) => {
                let cause = Cause::service(NAME);
                charge::record(state, &cause, payment, &outcome).await?;
            }
            Err(error) => return Ok(Err(error)),
        },
        Status::Refunding => match answer(state.provider.refund(key, payment.to_refund)).await {
            Ok(()) => {
                fault::point(NAME, "after_refund").await;
                refunded(state, payment).await?;
            }
            Err(error) => return Ok(Err(error)),
        },
        Status::Captured | Status::Declined | Status::Refunded => {}
    }
    Ok(Ok(()))
}

/// Commits the refund that the provider was asked for.
async fn refunded(state: &State, asked: &Payment) -> Result<(), Error> {
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let cause = asked.refund_cause.clone();
    let cause = cause.unwrap_or_else(|| Cause::service(NAME));
    let checkout = asked.order.checkout_id;
    store::change(&mut tx, &state.recorder, &cause, checkout, |checkout| {
        checkout.refunded(asked.id, asked.to_refund)
    })
    .await?;
    tx.commit().await?;
    Ok(())
}

async fn answer<T>(asked: impl Future<Output = Result<T, Unanswered>>) -> Result<T, Unanswered> {
    match tokio::time::timeout(REPLY_TIMEOUT, asked).await {
        Ok(answer) => answer,
        Err(elapsed) => Err(Unanswered(elapsed.to_string())),
    }
}
