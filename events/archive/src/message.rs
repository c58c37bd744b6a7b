use aws_lc_rs::digest::{Context, SHA256};
use bytes::Bytes;
use time::OffsetDateTime;

use crate::{Hash, Headers};

/// A message exactly as its stream holds it: a broker can be refilled from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub stream_sequence: u64,
    /// The time at which the broker stored it, to the nanosecond.
    pub stored_at: OffsetDateTime,
    pub subject: String,
    /// The archiver sorts them: its client keeps no order.
    pub headers: Headers,
    /// Any bytes.
    pub body: Bytes,
}

/// The hash over messages, whatever file they are in. Of each message: stream sequence (8 bytes), time in
/// nanoseconds since 1970 (16 bytes), subject, number of headers (8 bytes), each name and value, body. Numbers are
/// big-endian; texts and the body follow their length in bytes (8 bytes).
pub(crate) fn hash_of(messages: &[Message]) -> Hash {
    let mut context = Context::new(&SHA256);
    for message in messages {
        context.update(&message.stream_sequence.to_be_bytes());
        context.update(&message.stored_at.unix_timestamp_nanos().to_be_bytes());
        add(&mut context, message.subject.as_bytes());
        let headers = message.headers.pairs();
        context.update(&length(headers.len()));
        for (name, value) in &headers {
            add(&mut context, name.as_bytes());
            add(&mut context, value.as_bytes());
        }
        add(&mut context, &message.body);
    }
    Hash::from(context.finish())
}

fn add(context: &mut Context, bytes: &[u8]) {
    context.update(&length(bytes.len()));
    context.update(bytes);
}

fn length(length: usize) -> [u8; 8] {
    (length as u64).to_be_bytes()
}
