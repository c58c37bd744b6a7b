use std::str::Utf8Error;

use tiffin_events::SPEC_VERSION;

use crate::BrokerError;

/// The reason why a message is no event.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Malformed {
    #[error("malformed: {0}")]
    Text(#[from] Utf8Error),
    #[error("malformed: {0}")]
    Envelope(#[from] serde_json::Error),
    #[error("malformed: CloudEvents {0} is not {SPEC_VERSION}")]
    Version(String),
    /// The message did not come from a stream.
    #[error("malformed: {0}")]
    Delivery(#[from] BrokerError),
}
