//! Background tasks.

use std::time::Duration;

use tiffin_chassis::Work;

use crate::{Error, State, dead_letters, import, local_operations, progress, search_words};

/// The interval between requests to the services.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);
/// The interval between searches for closed accounts that wait for a dead letter, imports whose next call
/// does not come, and events without search words.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(5);

/// The tasks that run until the stop.
pub fn tasks(state: &State) -> Vec<Work> {
    let state = || state.clone();
    vec![
        Work::new("operator operations", state(), |state| async move {
            repeat(
                &state,
                PROGRESS_INTERVAL,
                "the progress of operations can't be read; trying again",
                progress::refresh_all,
            )
            .await;
        }),
        Work::new("operator dead letters", state(), |state| async move {
            repeat(
                &state,
                CLEANUP_INTERVAL,
                "dead letters of closed accounts can't be discarded; trying again",
                dead_letters::discard_for_closed_accounts,
            )
            .await;
        }),
        Work::new("operator imports", state(), |state| async move {
            repeat(
                &state,
                CLEANUP_INTERVAL,
                "abandoned imports can't be ended; trying again",
                import::end_abandoned,
            )
            .await;
        }),
        Work::new("operator words", state(), |state| async move {
            let failure = "search words can't be filled in; trying again";
            repeat(&state, CLEANUP_INTERVAL, failure, search_words::fill_in).await;
        }),
        Work::new("operator runs", state(), |state| async move {
            local_operations::supervise(&state).await;
        }),
    ]
}

/// Repeats `step` until the stop. A failed step is logged and tried again.
async fn repeat(
    state: &State,
    interval: Duration,
    failure: &str,
    step: impl AsyncFn(&State) -> Result<(), Error>,
) {
    while !state.stop.is_cancelled() {
        if let Err(error) = step(state).await {
            tracing::debug!(%error, "{failure}");
        }
        tokio::select! {
            () = state.stop.cancelled() => {}
            () = tokio::time::sleep(interval) => {}
        }
    }
}
