//! Background tasks.

use tiffin_chassis::SupervisedTask;
use tokio_util::sync::CancellationToken;

use crate::{State, unanswered};

/// Reminds restaurants and refuses orders at their deadlines until `shutdown`.
pub fn tasks(state: &State, shutdown: &CancellationToken) -> Vec<SupervisedTask> {
    let with = (state.clone(), shutdown.clone());
    vec![SupervisedTask::new(
        "order deadlines",
        with,
        |(state, stop)| async move {
            unanswered::run(&state, &stop).await;
        },
    )]
}
