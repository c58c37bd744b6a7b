use std::time::Duration;

use async_nats::jetstream::consumer::{DeliverPolicy, pull::OrderedConfig};
use futures_util::StreamExt;
use tiffin_events::{Envelope, Stream};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use crate::{Broker, BrokerError};

/// Follows `subjects` of a stream from `since` on, in order, for as long as the process lives: for
/// what a process keeps in memory (revocations). Nothing is acknowledged or stored, and what came
/// before a lost connection may come again.
pub async fn tail(
    broker: Broker,
    stream: Stream,
    subjects: Vec<String>,
    since: OffsetDateTime,
    shutdown: CancellationToken,
    mut each: impl FnMut(Envelope) + Send,
) {
    let mut failing = false;
    while !shutdown.is_cancelled() {
        let followed = tokio::select! {
            () = shutdown.cancelled() => return,
            followed = follow(&broker, stream, &subjects, since, &mut failing, &mut each) => followed,
        };
        if let Err(error) = followed
            && !std::mem::replace(&mut failing, true)
        {
            warn!(%stream, %error, "waiting to follow the stream");
        }
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(Duration::from_millis(500)) => {}
        }
    }
}

async fn follow(
    broker: &Broker,
    stream: Stream,
    subjects: &[String],
    since: OffsetDateTime,
    failing: &mut bool,
    each: &mut (impl FnMut(Envelope) + Send),
) -> Result<(), BrokerError> {
    let handle = broker
        .jetstream
        .get_stream(stream.name())
        .await
        .map_err(BrokerError::from)?;
    let config = OrderedConfig {
        filter_subjects: subjects.to_vec(),
        deliver_policy: DeliverPolicy::ByStartTime { start_time: since },
        ..OrderedConfig::default()
    };
    let ordered = handle
        .create_consumer(config)
        .await
        .map_err(BrokerError::from)?;
    let mut messages = ordered.messages().await.map_err(BrokerError::from)?;
    *failing = false;
    while let Some(message) = messages.next().await {
        let message = message.map_err(BrokerError::from)?;
        if let Ok(envelope) = serde_json::from_slice(&message.payload) {
            each(envelope);
        }
    }
    Err(BrokerError("the broker ended the stream".to_owned()))
}
