//! Background tasks.

use std::time::Duration;

use tiffin_bus::{Broker, seal::KeyResponder};
use tiffin_chassis::{SupervisedTask, repeat::repeat};
use tokio_util::sync::CancellationToken;

use crate::{
    Error, State, copy, erasure, heartbeat, mailer,
    reseal::seal_again,
    store::{codes, geocodes, known_devices, password_resets, pending_sign_ins, sessions},
};

/// The interval of deleting expired rows, of checking the age of the signing key and of sealing again what an
/// older master key sealed.
const TIDY_INTERVAL: Duration = Duration::from_hours(1);

/// The tasks that send mail, erase closed accounts, make copies, publish heartbeats, answer with keys of personal fields
/// and delete expired rows, until `shutdown`.
pub fn tasks(state: &State, broker: &Broker, shutdown: &CancellationToken) -> Vec<SupervisedTask> {
    let with = || (state.clone(), shutdown.clone());
    let and_broker = || (state.clone(), broker.clone(), shutdown.clone());
    let responder = KeyResponder::new(broker.clone(), state.personal_keys.clone());
    vec![
        SupervisedTask::new(
            "user personal keys",
            (responder, shutdown.clone()),
            |(responder, stop)| responder.run(stop),
        ),
        SupervisedTask::new("user mailer", with(), |(state, stop)| async move {
            mailer::run(&state, &stop).await;
        }),
        SupervisedTask::new(
            "user eraser",
            and_broker(),
            |(state, broker, stop)| async move {
                erasure::run(&state, &broker, &stop).await;
            },
        ),
        SupervisedTask::new(
            "user copies",
            and_broker(),
            |(state, broker, stop)| async move {
                copy::run(&state, &broker, &stop).await;
            },
        ),
        SupervisedTask::new("user copy removal", with(), |(state, stop)| async move {
            copy::run_removal(&state, &stop).await;
        }),
        SupervisedTask::new(
            "user heartbeat",
            and_broker(),
            |(state, broker, stop)| async move {
                heartbeat::run(&state, &broker, &stop).await;
            },
        ),
        SupervisedTask::new("user tidying", with(), |(state, stop)| async move {
            tidy_hourly(&state, &stop).await;
        }),
    ]
}

async fn tidy_hourly(state: &State, shutdown: &CancellationToken) {
    if let Err(error) = state.keys.seal_stored().await {
        tracing::error!(%error, "the signing keys are not sealed");
    }
    repeat(TIDY_INTERVAL, shutdown, || async {
        if let Err(error) = seal_again(&state.pool, &state.seal).await {
            tracing::warn!(%error, "values under an older master key can't be sealed again; trying again in an hour");
        }
        if let Err(error) = tidy(state).await {
            tracing::warn!(%error, "old rows were not removed; trying again in an hour");
        }
    })
    .await;
}

async fn tidy(state: &State) -> Result<(), Error> {
    let now = state.clock.now();
    let mut conn = state.pool.acquire().await?;
    sessions::delete_expired(&mut conn, now).await?;
    known_devices::delete_expired(&mut conn, now).await?;
    codes::delete_expired(&mut conn, now).await?;
    password_resets::delete_expired(&mut conn, now).await?;
    pending_sign_ins::delete_expired(&mut conn, now).await?;
    geocodes::delete_expired(&state.pool, now).await?;
    drop(conn);
    state.keys.rotate_when_due().await
}
