//! Applies the revocations of the user service to the tokens of this process, and notices their silence.

use std::time::Duration;

use async_nats::jetstream::Message;
use futures_util::FutureExt;
use metrics::gauge;
use tiffin_bus::{Broker, tail};
use tiffin_chassis::{Readiness, Revocations};
use tiffin_events::revocation::{self, Revocation};
use tokio_util::sync::CancellationToken;

/// The interval of checking for silence.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// The number of such intervals between checks of open sockets during silence: their tokens grow older
/// meanwhile.
const CHECKS_BETWEEN_SOCKET_CHECKS: u32 = 15;

/// Follows the revocations until `stop`, from one lifetime of a token ago on.
pub async fn follow(broker: Broker, revocations: Revocations, stop: CancellationToken) {
    revocations.listen();
    let listen = tail(broker, revocation::STREAM, stop.clone(), |message| {
        apply(&revocations, message);
    });
    tokio::join!(listen, watch(&revocations, &stop));
}

/// Adds a note if no revocations arrive. The service stays ready: it accepts young tokens.
pub fn note(readiness: &Readiness, revocations: &Revocations) {
    let revocations = revocations.clone();
    readiness.add_optional("revocations", move || {
        let checked = revocations.silence().map_or(Ok(()), |silence| {
            Err(format!(
                "not heard of for {} s: only tokens of the last minute are accepted",
                silence.as_secs()
            ))
        });
        std::future::ready(checked).boxed()
    });
}

fn apply(revocations: &Revocations, message: &Message) {
    let published = message.info().ok().map(|info| info.published);
    #[expect(
        clippy::disallowed_methods,
        reason = "the age of a message is between the machines' clocks, whatever time a service plays"
    )]
    let now = time::OffsetDateTime::now_utc();
    let age = published.map_or(time::Duration::ZERO, |published| now - published);
    revocations.heard(age.try_into().unwrap_or_default());
    if message.subject.as_str() == revocation::ALIVE {
        return;
    }
    match serde_json::from_slice::<Revocation>(&message.payload) {
        Ok(revocation) => revocations.revoke(revocation.user_id, revocation.at),
        Err(error) => tracing::warn!(%error, "a revocation can't be read; skipping it"),
    }
}

/// Logs when revocations are silent for too long, and when they arrive again.
async fn watch(revocations: &Revocations, stop: &CancellationToken) {
    let silent = gauge!("tiffin_revocations_silent");
    let mut checks: u32 = 0;
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(CHECK_INTERVAL) => {}
        }
        let Some(silence) = revocations.silence() else {
            if std::mem::take(&mut checks) > 0 {
                tracing::info!("revocations are heard again: tokens are accepted as usual");
            }
            silent.set(0.0);
            continue;
        };
        silent.set(1.0);
        if checks == 0 {
            tracing::warn!(
                seconds = silence.as_secs(),
                "revocations are not heard: only tokens of the last minute are accepted"
            );
        }
        if checks.is_multiple_of(CHECKS_BETWEEN_SOCKET_CHECKS) {
            revocations.recheck_all();
        }
        checks += 1;
    }
}
