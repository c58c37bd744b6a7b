//! Background tasks.

use tiffin_bus::Broker;
use tiffin_chassis::Work;
use tokio_util::sync::CancellationToken;

use crate::{State, sweep};

/// Removes pictures without references until `shutdown`.
pub fn tasks(state: &State, broker: &Broker, shutdown: &CancellationToken) -> Vec<Work> {
    let with = (state.clone(), broker.clone(), shutdown.clone());
    vec![Work::new(
        "media sweeper",
        with,
        |(state, broker, stop)| async move {
            sweep::run(&state, &broker, &stop).await;
        },
    )]
}
