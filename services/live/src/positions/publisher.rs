//! Publishing in batches: a write to the broker for each position would cost five times the CPU.

use std::time::Duration;

use async_nats::{Client, connection::State};
use bytes::Bytes;
use tokio::sync::mpsc::{self, Receiver, Sender, error::TrySendError};

/// The longest time that positions gather.
const GATHER_TIME: Duration = Duration::from_millis(5);
/// Positions that may wait.
const QUEUE_LENGTH: usize = 16 * 1024;

/// The sender to the task that publishes.
#[derive(Clone, Debug)]
pub struct Publisher(Sender<(String, Bytes)>);

impl Publisher {
    pub fn start(client: Client) -> Self {
        let (sender, waiting) = mpsc::channel(QUEUE_LENGTH);
        tokio::spawn(publish(client, waiting));
        Self(sender)
    }

    /// Publishes in a moment. Where the broker can't keep up a position is dropped: the next one is
    /// newer.
    pub fn add(&self, subject: String, payload: Bytes) {
        if let Err(TrySendError::Full(_)) = self.0.try_send((subject, payload)) {
            metrics::counter!("live_positions_dropped_total").increment(1);
        }
    }
}

async fn publish(client: Client, mut waiting: Receiver<(String, Bytes)>) {
    let mut gathered = Vec::new();
    while let Some(first) = waiting.recv().await {
        gathered.push(first);
        tokio::time::sleep(GATHER_TIME).await;
        while let Ok(next) = waiting.try_recv() {
            gathered.push(next);
        }
        // Without a connection they would wait in the client, and be sent when they are old.
        if client.connection_state() != State::Connected {
            gathered.clear();
            continue;
        }
        metrics::counter!("live_positions_published_total").increment(gathered.len() as u64);
        for (subject, payload) in gathered.drain(..) {
            if let Err(error) = client.publish(subject, payload).await {
                tracing::warn!(%error, "a position can't be published and is dropped");
            }
        }
    }
}
