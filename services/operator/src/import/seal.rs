//! The personal fields of an import's events. They are plain in its checks and sealed in the stream, as their service
//! publishes them.

use tiffin_bus::{
    read::Logged,
    seal::{Keys, KeysError, SealError},
};
use tiffin_events::Envelope;

use super::check::Line;
use crate::{
    Error,
    error::Refusal,
    sealed::{open, replace},
};

/// Opens the sealed fields of lines. A key that this platform lacks refuses its line: no consumer gets past such an
/// event.
pub async fn open_lines(keys: &Keys, lines: &mut [(usize, Line)]) -> Result<(), Error> {
    for (line, Line { logged, envelope }) in lines {
        match open(keys, &mut logged.envelope).await {
            Ok(opened) => *envelope = opened,
            Err(Error::Seal(
                error @ (SealError::Keys(KeysError::Unknown(_)) | SealError::Part(_)),
            )) => {
                let reason = error.to_string();
                return Err(Refusal::BadLine {
                    line: *line,
                    reason,
                }
                .into());
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Seals the personal fields of an event that is about to be stored.
pub async fn seal(keys: &Keys, logged: &mut Logged) -> Result<(), Error> {
    let mut envelope: Envelope = serde_json::from_value(logged.envelope.clone())?;
    keys.seal(&mut envelope).await?;
    if !envelope.sealed.is_empty() {
        replace(&mut logged.envelope, &envelope)?;
    }
    Ok(())
}
