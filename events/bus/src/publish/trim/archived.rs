//! The comparison of rows with the archive.

use std::collections::HashMap;

use tiffin_archive::{Archive, Filter, Message};
use tiffin_events::Stream;

use super::{
    TrimError,
    rows::{PublishedRow, RowKey},
};

/// The rows whose events the archive has, in order. Fails where it has another event, and where a segment can't be
/// read. A row whose event had left the stream before it could be archived is none of them, and stays.
pub(super) async fn held(
    archive: &Archive,
    stream: Stream,
    wanted: &HashMap<u64, &PublishedRow>,
) -> Result<Vec<RowKey>, TrimError> {
    let mut held = Vec::with_capacity(wanted.len());
    let (Some(first), Some(last)) = (wanted.keys().min(), wanted.keys().max()) else {
        return Ok(held);
    };
    let mut reader = archive.read(stream, *first..=*last, Filter::all()).await?;
    loop {
        let messages = reader.next().await?;
        if messages.is_empty() {
            return Ok(held);
        }
        for message in messages {
            let sequence = message.stream_sequence;
            let Some(row) = wanted.get(&sequence) else {
                continue;
            };
            if !is_event_of(&message, row) {
                return Err(TrimError::Foreign {
                    stream,
                    sequence,
                    event_id: row.event_id,
                });
            }
            held.extend(row.key());
        }
    }
}

/// True if the message is the event that the row was published as.
fn is_event_of(message: &Message, row: &PublishedRow) -> bool {
    let id = message.headers.get("Nats-Msg-Id");
    let id = id.and_then(|id| id.parse().ok());
    id == Some(row.event_id) && message.subject == row.subject
}
