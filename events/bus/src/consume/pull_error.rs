use std::fmt::{Debug, Display};

use super::failure::Outage;
use crate::BrokerError;

/// The reason why a consumer's pull ended early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PullError {
    #[error("broker: {0}")]
    Broker(#[from] BrokerError),
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Outage(#[from] Outage),
}

impl<Kind> From<async_nats::error::Error<Kind>> for PullError
where
    Kind: Clone + Debug + Display + PartialEq + Send + Sync + 'static,
{
    fn from(error: async_nats::error::Error<Kind>) -> Self {
        Self::Broker(error.into())
    }
}
