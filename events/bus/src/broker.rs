use async_nats::jetstream;

/// A connection to NATS with its JetStream context. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Broker {
    pub client: async_nats::Client,
    pub jetstream: jetstream::Context,
}

/// What went wrong with the broker, as a sentence for the operator.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BrokerError(pub String);

impl Broker {
    /// Connects, retrying with back-off for ever; says once what it waits for.
    pub async fn connect(_url: &str, _service: &str) -> Self {
        unimplemented!()
    }

    /// Makes the streams and the audience bucket that are missing, and brings the others to their
    /// configuration.
    pub async fn prepare(&self) -> Result<(), BrokerError> {
        unimplemented!()
    }

    /// Whether the broker answers now.
    pub async fn ping(&self) -> Result<(), BrokerError> {
        unimplemented!()
    }
}
