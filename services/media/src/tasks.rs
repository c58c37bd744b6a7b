//! Background tasks.

use tiffin_bus::Broker;
use tiffin_chassis::SupervisedTask;
use tokio_util::sync::CancellationToken;

use crate::{State, sweep};

/// Removes pictures without references until `shutdown`.
pub fn tasks(state: &State, broker: &Broker, shutdown: &CancellationToken) -> Vec<SupervisedTask> {
    let with = (state.clone(), broker.clone(), shutdown.clone());
    vec![SupervisedTask::new(
        "media sweeper",
        with,
        |(state, broker, stop)| async move {
            sweep::run(&state, &broker, &stop).await;
        },
    )]
}
