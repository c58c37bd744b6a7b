//! Background tasks.

use std::time::Duration;

use tiffin_bus::Broker;
use tiffin_chassis::{SupervisedTask, repeat::repeat};
use tokio_util::sync::CancellationToken;

use crate::{
    Error, State, codes, devices, erasure, geocode, heartbeat, mailer, pending_sign_ins, resets,
    sessions,
};

/// The interval of deleting what has expired and of checking the signing key's age.
const TIDIES_EVERY: Duration = Duration::from_hours(1);

/// Sends mail, forgets who is gone and what is old, and follows up signing keys, until `shutdown`.
pub fn tasks(state: &State, broker: &Broker, shutdown: &CancellationToken) -> Vec<SupervisedTask> {
    let with = || (state.clone(), shutdown.clone());
    let and_broker = || (state.clone(), broker.clone(), shutdown.clone());
    vec![
        SupervisedTask::new("user mailer", with(), |(state, stop)| async move {
            mailer::run(&state, &stop).await;
        }),
        SupervisedTask::new(
            "user eraser",
            and_broker(),
            |(state, broker, stop)| async move {
                erasure::eraser(&state, &broker, &stop).await;
            },
        ),
        SupervisedTask::new(
            "user heartbeat",
            and_broker(),
            |(state, broker, stop)| async move {
                heartbeat::give(&state, &broker, &stop).await;
            },
        ),
        SupervisedTask::new("user tidying", with(), |(state, stop)| async move {
            keep_tidy(&state, &stop).await;
        }),
    ]
}

async fn keep_tidy(state: &State, shutdown: &CancellationToken) {
    if let Err(error) = state.keys.seal_stored().await {
        tracing::error!(%error, "the signing keys are not sealed");
    }
    repeat(TIDIES_EVERY, shutdown, || async {
        if let Err(error) = tidy(state).await {
            tracing::warn!(%error, "old rows were not removed; trying again in an hour");
        }
    })
    .await;
}

async fn tidy(state: &State) -> Result<(), Error> {
    let now = state.clock.now();
    let mut conn = state.pool.acquire().await?;
    sessions::forget_old(&mut conn, now).await?;
    devices::forget_old(&mut conn, now).await?;
    codes::forget_old(&mut conn, now).await?;
    resets::forget_old(&mut conn, now).await?;
    pending_sign_ins::forget_old(&mut conn, now).await?;
    geocode::forget_old(&state.pool, now).await?;
    drop(conn);
    state.keys.rotate_when_due().await
}
