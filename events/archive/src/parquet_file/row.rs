use tiffin_events::RawEnvelope;
use time::OffsetDateTime;

use crate::Message;

/// A message with its envelope; `None` if the body is no event.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    pub message: &'a Message,
    pub event: Option<RawEnvelope>,
}

impl<'a> Row<'a> {
    pub fn of(messages: &'a [Message]) -> Vec<Self> {
        let rows = messages.iter().map(|message| Self {
            message,
            event: serde_json::from_slice(&message.body).ok(),
        });
        rows.collect()
    }

    /// The time of the event in microseconds since 1970; of a message that is none, the time at which it was stored.
    pub fn time(&self) -> i64 {
        let time = self
            .event
            .as_ref()
            .map_or(self.message.stored_at, |it| it.time);
        micros(time)
    }
}

/// Microseconds since 1970, rounded down.
pub(crate) fn micros(time: OffsetDateTime) -> i64 {
    let micros = time.unix_timestamp_nanos().div_euclid(1_000);
    i64::try_from(micros).unwrap_or(if micros < 0 { i64::MIN } else { i64::MAX })
}
