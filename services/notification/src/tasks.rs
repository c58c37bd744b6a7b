//! Background tasks.

use std::time::Duration;

use tiffin_chassis::{SupervisedTask, repeat::repeat};
use tokio_util::sync::CancellationToken;

use crate::{State, mailer, pusher, store::occasions};

/// The interval of deleting old occasions.
const CLEANUP_INTERVAL: Duration = Duration::from_mins(10);

/// The workers that send mail and push and delete what is old, until `shutdown`.
pub fn tasks(state: &State, shutdown: &CancellationToken) -> Vec<SupervisedTask> {
    let with = || (state.clone(), shutdown.clone());
    vec![
        SupervisedTask::new("notification mailer", with(), |(state, stop)| async move {
            mailer::run(&state, &stop).await;
        }),
        SupervisedTask::new(
            "notification occasions",
            with(),
            |(state, stop)| async move {
                delete_occasions(&state, &stop).await;
            },
        ),
        SupervisedTask::new("notification pusher", with(), |(state, stop)| async move {
            pusher::run(&state, &stop).await;
        }),
    ]
}

async fn delete_occasions(state: &State, shutdown: &CancellationToken) {
    repeat(CLEANUP_INTERVAL, shutdown, || async {
        if let Err(error) = occasions::delete_expired(&state.pool, state.clock.now()).await {
            tracing::warn!(%error, "old occasions were not deleted; trying again later");
        }
    })
    .await;
}
