use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

/// What a consumer could not handle, as stream DEADLETTERS keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeadLetter {
    pub consumer: String,
    pub reason: String,
    pub attempts: i64,
    #[serde(with = "time::serde::rfc3339")]
    pub time: OffsetDateTime,
    pub stream: String,
    pub stream_sequence: u64,
    pub subject: String,
    /// The original body, as text.
    pub body: String,
}
