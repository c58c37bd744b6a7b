//! Events with sealed personal fields, as they lie in streams, in the log and in the archive.

use serde_json::Value;
use tiffin_bus::{
    read::Logged,
    seal::{Keys, KeysError, SealError},
};
use tiffin_events::{Envelope, UserId, personal::Sealed};

use crate::{Error, mask};

/// Opens the sealed fields of an event for an operator. Where they don't open for good they are masked.
pub async fn reveal(keys: &Keys, event: &mut Value) -> Result<(), Error> {
    if event.get("sealed").is_none() {
        return Ok(());
    }
    match open(keys, event).await {
        Err(error @ Error::Seal(SealError::Keys(KeysError::Away(_)))) => Err(error),
        Err(_) => {
            mask::event(event);
            Ok(())
        }
        Ok(_) => Ok(()),
    }
}

/// Asks for the keys of many events at once. Opening them then waits for no one.
pub async fn prefetch(keys: &Keys, events: impl Iterator<Item = &Value>) -> Result<(), Error> {
    let sealed = events.filter_map(|event| event.get("sealed")?.as_str()?.parse::<Sealed>().ok());
    let persons: Vec<UserId> = sealed
        .flat_map(|Sealed(parts)| parts.into_iter().map(|part| part.person))
        .collect();
    Ok(keys.prefetch(&persons).await.map_err(SealError::from)?)
}

/// Opens the sealed fields of events for an export. Those that don't open for good stay sealed.
pub async fn open_exported(keys: &Keys, events: &mut [Logged]) -> Result<(), Error> {
    prefetch(keys, events.iter().map(|event| &event.envelope)).await?;
    for event in events {
        if event.envelope.get("sealed").is_none() {
            continue;
        }
        let opened = open(keys, &mut event.envelope).await;
        if let Err(error @ Error::Seal(SealError::Keys(KeysError::Away(_)))) = opened {
            return Err(error);
        }
    }
    Ok(())
}

/// Opens the sealed fields of an event, which keeps its other fields as they are.
pub async fn open(keys: &Keys, event: &mut Value) -> Result<Envelope, Error> {
    let mut envelope: Envelope = serde_json::from_value(event.clone())?;
    if !envelope.sealed.is_empty() {
        keys.open(std::slice::from_mut(&mut envelope)).await?;
        replace(event, &envelope)?;
    }
    Ok(envelope)
}

/// Gives an event the payload and the sealed fields of an envelope.
pub fn replace(event: &mut Value, envelope: &Envelope) -> Result<(), Error> {
    if let Some(fields) = event.as_object_mut() {
        fields.insert("data".to_owned(), envelope.data.clone());
        fields.remove("sealed");
        if !envelope.sealed.is_empty() {
            fields.insert("sealed".to_owned(), serde_json::to_value(&envelope.sealed)?);
        }
    }
    Ok(())
}
