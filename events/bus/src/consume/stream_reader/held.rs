//! The part of a selection that the stream holds.

use async_nats::jetstream::{Message, consumer::pull, stream::Stream as StreamHandle};
use futures_util::StreamExt;
use tracing::debug;

use super::{HEARTBEAT_INTERVAL, MAX_PULL, starting_at};
use crate::{BrokerError, consume::received::StoredMessage};

pub(crate) struct HeldPart {
    messages: pull::Stream,
    /// The number of messages that this consumer delivered.
    received: u64,
    /// Messages left that match, whether they are selected or come later.
    pub pending: u64,
}

impl HeldPart {
    pub(crate) async fn open(
        stream: &StreamHandle<()>,
        config: pull::Config,
        (from, to): (u64, u64),
    ) -> Result<Self, BrokerError> {
        let mut consumer = stream.create_consumer(starting_at(config, from)).await?;
        let info = consumer.info().await?;
        let pending = info.num_pending;
        let at_once = MAX_PULL
            .min(pending)
            .min(to.saturating_sub(from).saturating_add(1));
        let messages = consumer
            .stream()
            .max_messages_per_batch(usize::try_from(at_once.max(1)).unwrap_or(1))
            .heartbeat(HEARTBEAT_INTERVAL)
            .messages()
            .await?;
        Ok(Self {
            messages,
            received: 0,
            pending,
        })
    }

    /// The next message; `None` where the broker lost it, or the consumer.
    pub(super) async fn next(&mut self) -> Result<Option<StoredMessage>, BrokerError> {
        let Some(message) = self.next_message().await? else {
            return Ok(None);
        };
        let info = message.info()?;
        let stored = StoredMessage::from_message(message.message.clone(), &info);
        Ok(Some(stored))
    }

    /// The next message as the broker delivers it.
    pub(crate) async fn next_message(&mut self) -> Result<Option<Message>, BrokerError> {
        let message = match self.messages.next().await {
            Some(Ok(message)) => message,
            Some(Err(error)) => {
                debug!(%error, "reading a stream is interrupted; another consumer continues it");
                return Ok(None);
            }
            None => return Ok(None),
        };
        let info = message.info()?;
        if info.consumer_sequence != self.received + 1 {
            return Ok(None);
        }
        (self.received, self.pending) = (self.received + 1, info.pending);
        Ok(Some(message))
    }
}
