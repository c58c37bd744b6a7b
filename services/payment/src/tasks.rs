//! Background tasks.

use tiffin_chassis::SupervisedTask;
use tokio_util::sync::CancellationToken;

use crate::{State, reconciler};

/// Settles open payments and refunds until `shutdown`.
pub fn tasks(state: &State, shutdown: &CancellationToken) -> Vec<SupervisedTask> {
    let with = (state.clone(), shutdown.clone());
    vec![SupervisedTask::new(
        "payment reconciler",
        with,
        |(state, stop)| async move {
            reconciler::run(&state, &stop).await;
        },
    )]
}
