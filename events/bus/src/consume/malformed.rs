use std::str::Utf8Error;

use tiffin_events::{JsonFault, SPEC_VERSION};

use crate::{BrokerError, seal::OpenError};

/// The reason why a message is no event.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Malformed {
    #[error("malformed: {0}")]
    Text(#[from] Utf8Error),
    #[error("malformed: {0}")]
    Envelope(#[from] JsonFault),
    #[error("malformed: CloudEvents {0} is not {SPEC_VERSION}")]
    Version(String),
    #[error("malformed: {0}")]
    Sealed(#[from] OpenError),
    /// The message did not come from a stream.
    #[error("malformed: {0}")]
    Delivery(#[from] BrokerError),
}
