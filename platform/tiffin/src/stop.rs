//! The signal to stop.

use anyhow::Result;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// A token that is cancelled by Ctrl-C or SIGTERM. A second one ends the process at once.
pub fn on_signal() -> Result<CancellationToken> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let token = CancellationToken::new();
    let stop = token.clone();
    tokio::spawn(async move {
        let mut asked = false;
        loop {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            if std::mem::replace(&mut asked, true) {
                std::process::exit(130);
            }
            stop.cancel();
        }
    });
    Ok(token)
}
