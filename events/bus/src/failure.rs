use tiffin_events::DecodeError;

/// Why a handler could not handle an event. Back-off and dead letters live in the consumer loop.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// It may work later: the database is away, a row it needs has not come yet.
    #[error("{0}")]
    Retry(String),
    /// It never will.
    #[error("{0}")]
    Reject(String),
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::Retry(error.to_string())
    }
}

impl From<DecodeError> for Failure {
    fn from(error: DecodeError) -> Self {
        Self::Reject(error.to_string())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Reject(error.to_string())
    }
}
