use tiffin_events::RawEnvelope;

use crate::{Message, columns::micros};

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
