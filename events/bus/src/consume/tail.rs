use std::time::Duration;

use async_nats::jetstream::{
    Message,
    consumer::{DeliverPolicy, pull::OrderedConfig},
};
use futures_util::StreamExt;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use crate::{Broker, BrokerError, broker::reader_name};

/// Follows a small stream from its first message on, for data that a process keeps in memory (revocations). Nothing is
/// acknowledged or stored. After a lost connection, messages may come again.
pub async fn tail(
    broker: Broker,
    stream: &str,
    shutdown: CancellationToken,
    mut each: impl FnMut(&Message) + Send,
) {
    let mut failing = false;
    while !shutdown.is_cancelled() {
        let followed = tokio::select! {
            () = shutdown.cancelled() => return,
            followed = follow(&broker, stream, &mut failing, &mut each) => followed,
        };
        if let Err(error) = followed
            && !std::mem::replace(&mut failing, true)
        {
            warn!(%stream, %error, "the stream can't be followed; trying again");
        }
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(Duration::from_millis(500)) => {}
        }
    }
}

async fn follow(
    broker: &Broker,
    stream: &str,
    failing: &mut bool,
    each: &mut (impl FnMut(&Message) + Send),
) -> Result<(), BrokerError> {
    let handle = broker.jetstream.get_stream(stream).await?;
    let config = OrderedConfig {
        name: Some(reader_name()),
        deliver_policy: DeliverPolicy::All,
        ..OrderedConfig::default()
    };
    let ordered = handle.create_consumer(config).await?;
    let mut messages = ordered.messages().await?;
    *failing = false;
    while let Some(message) = messages.next().await {
        each(&message?);
    }
    Err(BrokerError::Ended("the stream"))
}
