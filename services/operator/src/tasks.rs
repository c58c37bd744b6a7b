//! Background tasks.

use std::time::Duration;

use tiffin_chassis::{SupervisedTask, repeat::repeat};

use crate::{
    Error, State, archive, capacity, dead_letters, import, local_operations, log, progress,
    search_words,
};

/// The interval between searches for closed accounts that wait for a dead letter, imports whose next call
/// does not come, and events without search words.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(5);

/// The interval of measuring when streams are full.
const CAPACITY_INTERVAL: Duration = Duration::from_mins(1);

/// The tasks that run until the stop.
pub fn tasks(state: &State) -> Vec<SupervisedTask> {
    let state = || state.clone();
    vec![
        SupervisedTask::new("operator operations", state(), |state| async move {
            progress::refresh_until_stop(&state).await;
        }),
        SupervisedTask::new("operator dead letters", state(), |state| async move {
            repeat_logged(
                &state,
                CLEANUP_INTERVAL,
                "dead letters of closed accounts can't be discarded; trying again",
                dead_letters::discard_for_closed_accounts,
            )
            .await;
        }),
        SupervisedTask::new("operator imports", state(), |state| async move {
            repeat_logged(
                &state,
                CLEANUP_INTERVAL,
                "abandoned imports can't be ended; trying again",
                import::end_abandoned,
            )
            .await;
        }),
        SupervisedTask::new("operator words", state(), |state| async move {
            let failure = "search words can't be filled in; trying again";
            repeat_logged(&state, CLEANUP_INTERVAL, failure, search_words::fill_in).await;
        }),
        SupervisedTask::new("operator archive", state(), |state| async move {
            repeat(archive::INTERVAL, &state.stop, async || {
                if let Err(error) = archive::archive_old(&state).await {
                    tracing::warn!(%error, "old events can't be archived; trying again in a minute");
                }
            })
            .await;
        }),
        SupervisedTask::new("operator log", state(), |state| async move {
            repeat(archive::INTERVAL, &state.stop, async || {
                if let Err(error) = log::keep_window(&state).await {
                    tracing::warn!(%error, "archived months can't leave the event log; trying again in a minute");
                }
            })
            .await;
        }),
        SupervisedTask::new("operator capacity", state(), |state| async move {
            let failure = "capacity can't be measured; trying again";
            repeat_logged(&state, CAPACITY_INTERVAL, failure, async |state| {
                capacity::report(&capacity::measure(state).await?, state.clock.now());
                Ok(())
            })
            .await;
        }),
        SupervisedTask::new("operator runs", state(), |state| async move {
            local_operations::supervise(&state).await;
        }),
    ]
}

/// Repeats `step` until the stop. A failed step is logged and tried again.
async fn repeat_logged(
    state: &State,
    interval: Duration,
    failure: &str,
    step: impl AsyncFn(&State) -> Result<(), Error>,
) {
    repeat(interval, &state.stop, || async {
        if let Err(error) = step(state).await {
            tracing::debug!(%error, "{failure}");
        }
    })
    .await;
}
