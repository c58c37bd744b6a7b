//! Erases an aggregate's past: the personal data of its events is removed from the stream, from the outbox
//! that can republish the stream, and from the dead letters. The last event stays, so that every consumer
//! still learns that the aggregate ended.

use async_nats::jetstream::stream::{RawMessageErrorKind, Stream as StreamHandle};
use sqlx::PgPool;
use tiffin_events::{Event, Stream, subject};
use uuid::Uuid;

use crate::{Broker, BrokerError, consume::dead_letter};

/// The reason why a past could not be erased. Trying again is right.
#[derive(Debug, thiserror::Error)]
pub enum EraseError {
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("broker: {0}")]
    Broker(#[from] BrokerError),
}

/// Erases every event of the aggregate `id` before its `last`, the name of an event that comes once
/// and ends it. False where the broker does not have that one yet. Done twice it does no more.
pub async fn before<E: Event>(
    pool: &PgPool,
    broker: &Broker,
    id: Uuid,
    last: &str,
) -> Result<bool, EraseError> {
    let end = subject::event(E::AGGREGATE, id, last);
    let handle = stream(broker, E::STREAM).await?;
    let sequence = match handle.get_last_raw_message_by_subject(&end).await {
        Ok(message) => message.sequence,
        Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => return Ok(false),
        Err(error) => return Err(BrokerError::from(error).into()),
    };
    // The rows first: what is rebuilt from them meanwhile lacks the past already.
    sqlx::query!(
        "delete from bus.outbox as o using bus.outbox as e
         where e.subject = $2 and o.lane = $1 and o.id < e.id and o.published_at is not null
           and split_part(o.subject, '.', 2) = $3",
        id,
        end,
        E::AGGREGATE,
    )
    .execute(pool)
    .await?;
    let every = subject::every_of(E::AGGREGATE, id);
    overwrite(&handle, &every, sequence).await?;
    let of_it = every.trim_end_matches('*');
    dead_letter::erase_payloads(broker, |letter| {
        letter.subject.starts_with(of_it) && letter.stream_sequence < sequence
    })
    .await?;
    Ok(true)
}

/// Deletes the messages of a subject that come before `end`, one by one: a purge would leave their
/// bytes on the broker's disk, this overwrites them. The stream's leader is asked: a replica that lags would
/// leave some out.
async fn overwrite(handle: &StreamHandle<()>, subject: &str, end: u64) -> Result<(), BrokerError> {
    let mut from = 1;
    loop {
        let found = handle.get_first_raw_message_by_subject(subject, from).await;
        let sequence = match found {
            Ok(message) if message.sequence < end => message.sequence,
            Ok(_) => return Ok(()),
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        handle.delete_message(sequence).await?;
        from = sequence + 1;
    }
}

async fn stream(broker: &Broker, stream: Stream) -> Result<StreamHandle<()>, BrokerError> {
    Ok(broker.jetstream.get_stream_no_info(stream.name()).await?)
}
