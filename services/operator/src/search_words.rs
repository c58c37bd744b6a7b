//! The words of events that the log took in before it kept them apart: those of the masked payloads, which
//! anybody may search for.

use crate::{Error, State, mask, store::events};

/// Events a transaction.
const PART: i64 = 500;

/// Reads what is left of them.
pub async fn read_the_rest(state: &State) -> Result<(), Error> {
    while !state.stop.is_cancelled() {
        let mut tx = state.pool.begin().await?;
        let (streams, places, mut payloads) = events::unread(&mut tx, PART).await?;
        if streams.is_empty() {
            return Ok(());
        }
        payloads.iter_mut().for_each(mask::fields_of);
        events::read(&mut tx, (&streams, &places, &payloads)).await?;
        tx.commit().await?;
    }
    Ok(())
}
