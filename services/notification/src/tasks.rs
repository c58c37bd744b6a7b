//! Background tasks.

use tiffin_chassis::Work;
use tokio_util::sync::CancellationToken;

use crate::{State, mailer, pusher};

/// The workers that send mail and push until `shutdown`.
pub fn tasks(state: &State, shutdown: &CancellationToken) -> Vec<Work> {
    let with = || (state.clone(), shutdown.clone());
    vec![
        Work::new("notification mailer", with(), |(state, stop)| async move {
            mailer::run(&state, &stop).await;
        }),
        Work::new("notification pusher", with(), |(state, stop)| async move {
            pusher::run(&state, &stop).await;
        }),
    ]
}
