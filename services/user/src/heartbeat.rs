//! The sign of life on the stream of revocations: others trust old tokens only while they hear it.

use std::time::Duration;

use tiffin_bus::Broker;
use tiffin_events::revocation;
use tokio_util::sync::CancellationToken;

use crate::{Error, State};

/// The interval of the heartbeat.
const EVERY: Duration = Duration::from_secs(5);
/// A revocation that waits longer than this has not got through: silence is the truth then. Seconds.
const LATE: f64 = 10.0;

/// Says every few seconds that every revocation is out, until `shutdown`.
pub(crate) async fn give(state: &State, broker: &Broker, shutdown: &CancellationToken) {
    let mut tick = tokio::time::interval(EVERY);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return,
            _ = tick.tick() => {}
        }
        match is_due(state).await {
            Ok(true) => {}
            Ok(false) => continue,
            Err(error) => {
                tracing::debug!(%error, "it is not known whether revocations wait");
                continue;
            }
        }
        // A client that is not connected would keep it and say it late.
        if broker.client.connection_state() != async_nats::connection::State::Connected {
            continue;
        }
        if let Err(error) = broker.client.publish(revocation::ALIVE, "".into()).await {
            tracing::debug!(%error, "the sign of life was not sent");
        }
    }
}

/// True if no revocation waits to be published.
async fn is_due(state: &State) -> Result<bool, Error> {
    let waits = sqlx::query_scalar!(
        r#"select exists (
             select from bus.outbox
             where published_at is null and starts_with(subject, 'revocation.')
               and created_at < now() - make_interval(secs => $1)
         ) as "waits!""#,
        LATE,
    )
    .fetch_one(&state.pool)
    .await?;
    Ok(!waits)
}
