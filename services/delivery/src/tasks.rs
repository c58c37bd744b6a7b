//! Background tasks.

use std::time::Duration;

use tiffin_chassis::{
    SupervisedTask,
    repeat::{COMMIT_PAUSE, repeat_or_notified},
};
use tokio_util::sync::CancellationToken;

use crate::{State, arrivals};

/// The interval of looking for deliveries whose arrival is to be forecast.
const FORECAST_INTERVAL: Duration = Duration::from_secs(5);

/// The task that forecasts arrivals, until `shutdown`.
pub fn tasks(state: &State, shutdown: &CancellationToken) -> Vec<SupervisedTask> {
    let with = (state.clone(), shutdown.clone());
    vec![SupervisedTask::new(
        "delivery forecasts",
        with,
        |(state, stop)| async move {
            let notified = (&*state.forecasts, COMMIT_PAUSE);
            repeat_or_notified(FORECAST_INTERVAL, notified, &stop, || async {
                if let Err(error) = arrivals::forecast_due(&state).await {
                    tracing::warn!(%error, "arrivals were not forecast; trying again later");
                }
            })
            .await;
        },
    )]
}
