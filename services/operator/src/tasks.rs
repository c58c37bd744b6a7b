//! Background tasks.

use std::time::Duration;

use tiffin_chassis::{SupervisedTask, repeat::repeat};

use crate::{Error, State, dead_letters, import, progress, running, search_words};

/// The interval between questions to the services.
const EVERY: Duration = Duration::from_millis(500);
/// The interval between looks for closed accounts that wait for a dead letter, imports whose next call
/// does not come, and events without search words.
const LETTERS: Duration = Duration::from_secs(5);

/// The tasks that run until the stop.
pub fn tasks(state: &State) -> Vec<SupervisedTask> {
    let state = || state.clone();
    vec![
        SupervisedTask::new("operator operations", state(), |state| async move {
            again_and_again(
                &state,
                EVERY,
                "the progress of operations can't be read; trying again",
                progress::refresh_all,
            )
            .await;
        }),
        SupervisedTask::new("operator dead letters", state(), |state| async move {
            again_and_again(
                &state,
                LETTERS,
                "dead letters of closed accounts can't be discarded; trying again",
                dead_letters::make_way,
            )
            .await;
        }),
        SupervisedTask::new("operator imports", state(), |state| async move {
            again_and_again(
                &state,
                LETTERS,
                "abandoned imports can't be ended; trying again",
                import::end_those_left,
            )
            .await;
        }),
        SupervisedTask::new("operator words", state(), |state| async move {
            let failing = "search words can't be filled in; trying again";
            again_and_again(&state, LETTERS, failing, search_words::read_the_rest).await;
        }),
        SupervisedTask::new("operator runs", state(), |state| async move {
            running::hold(&state).await;
        }),
    ]
}

/// Repeats `step` until the stop. A failed step is logged and tried again.
async fn again_and_again(
    state: &State,
    every: Duration,
    failing: &str,
    step: impl AsyncFn(&State) -> Result<(), Error>,
) {
    repeat(every, &state.stop, || async {
        if let Err(error) = step(state).await {
            tracing::debug!(%error, "{failing}");
        }
    })
    .await;
}
